"""Which of the requests that a release brings an edition tells, and under which number. Pure.

One change is one line: requests of one change that the release brings stand together, with those of
other branches. A request that takes back what the release before had not either is no delivery.
"""

from collections.abc import Mapping, Sequence, Set

import msgspec

from events.facts.editions import Section
from projections.period_ledger.change_groups.grouping import ChangeGroup
from projections.period_ledger.change_groups.members import Kind
from projections.period_ledger.change_groups.queries import ChangeGroups
from projections.period_ledger.change_groups.standing import Telling as ToldAs
from projections.period_ledger.change_groups.standing import ToldGroup, parts_of
from projections.period_ledger.exclusions import Class
from projections.pull_requests.queries import Attributes
from services.answers.editions.choices import Choices
from services.answers.editions.edition import ReviewNote, ToldChange
from services.answers.editions.release_content import ReleaseContent
from services.answers.editions.telling import Telling, looks_at, told_change


def tell_release(
    content: ReleaseContent,
    groups: ChangeGroups,
    requests: Mapping[int, Attributes],
    classes: Mapping[int, Class],
    choices: Choices,
) -> Telling:
    """Tell every change group that has a brought request."""
    changes: list[ToldChange] = []
    not_told: dict[int, str] = {}
    looks: list[ReviewNote] = []
    for group in groups.grouping.groups:
        own = content.rows.keys() & set(group.numbers)
        if not own:
            continue
        reason = _not_told(content, group, own, classes, choices)
        section: Section | None = None if reason else "delivered"
        looks += looks_at(choices, group, section)
        if section is None:
            not_told |= dict.fromkeys(sorted(own), reason)
            continue
        told_group = _told(content, group, groups, own)
        change = told_change(told_group, section, groups, requests, choices)
        changes.append(_with_plain(change, own))
    uncertain = tuple(
        pair for pair in groups.grouping.review if content.rows.keys() & {pair.number, pair.origin}
    )
    return Telling(
        changes=tuple(changes), not_told=not_told, uncertain=uncertain, looks=tuple(looks)
    )


def _not_told(
    content: ReleaseContent,
    group: ChangeGroup,
    own: Set[int],
    classes: Mapping[int, Class],
    choices: Choices,
) -> str:
    """Return why a change is told nowhere; empty where it is told."""
    hidden = choices.about("hide", group.numbers)
    if hidden is not None:
        return f"hidden: {hidden.fact.reason or hidden.fact.author}"
    if all(classes.get(number, "kept") != "kept" for number in own):
        return classes[min(own)]
    back = content.taken_back
    if own <= back.keys():
        return f"takes back #{back[min(own)]}, which {content.first.name} did not have either"
    return ""


def _told(
    content: ReleaseContent, group: ChangeGroup, groups: ChangeGroups, own: Set[int]
) -> ToldGroup:
    members = groups.members
    earlier = tuple(number for number in group.numbers if number in content.before)
    return ToldGroup(
        group=group,
        telling=_telling(group, own, earlier),
        standing="delivered",
        parts=parts_of(group, members, groups.reverts),
        marks=tuple(members[number].mark for number in group.numbers),
        landed=tuple(sorted(own)),
        earlier=earlier,
    )


def _telling(group: ChangeGroup, own: Set[int], earlier: Sequence[int]) -> ToldAs:
    if not earlier:
        return "delivered"
    back = {pair.number for pair in group.pairs if pair.kind is Kind.RESUBMISSION}
    return "resubmission" if own <= back else "port"


def _with_plain(change: ToldChange, own: Set[int]) -> ToldChange:
    """Let the brought numbers stand alone, and every other one carry its mark."""
    return msgspec.structs.replace(change, plain=frozenset(own))
