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
from projections.pull_requests.attributes import Attributes
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
    left: dict[int, str] = {}
    looks: list[ReviewNote] = []
    for group in groups.grouping.groups:
        brought = content.rows.keys() & set(group.numbers)
        if not brought:
            continue
        reason = _not_told(content, group, brought, classes, choices)
        section: Section | None = None if reason else "delivered"
        looks += looks_at(choices, group, section)
        if section is None:
            not_told |= dict.fromkeys(sorted(brought), reason)
            left |= dict.fromkeys(group.numbers, reason)
            continue
        told_group = _told(content, group, groups, brought)
        change = told_change(told_group, section, groups, requests, choices)
        changes.append(_with_plain(change, brought))
    uncertain = tuple(
        pair for pair in groups.grouping.review if content.rows.keys() & {pair.number, pair.origin}
    )
    return Telling(
        changes=tuple(changes),
        not_told=not_told,
        uncertain=uncertain,
        looks=tuple(looks),
        left=left,
    )


def _not_told(
    content: ReleaseContent,
    group: ChangeGroup,
    brought: Set[int],
    classes: Mapping[int, Class],
    choices: Choices,
) -> str:
    """Return why a change is told nowhere; empty where it is told."""
    hidden = choices.about("hide", group.numbers)
    if hidden is not None:
        return f"hidden: {hidden.fact.reason or hidden.fact.author}"
    if all(classes.get(number, "kept") != "kept" for number in brought):
        return classes[min(brought)]
    back = content.taken_back
    if brought <= back.keys():
        return f"takes back #{back[min(brought)]}, which {content.first.name} did not have either"
    return ""


def _told(
    content: ReleaseContent, group: ChangeGroup, groups: ChangeGroups, brought: Set[int]
) -> ToldGroup:
    members = groups.members
    earlier = tuple(number for number in group.numbers if number in content.before)
    return ToldGroup(
        group=group,
        telling=_telling(group, brought, earlier),
        standing="delivered",
        parts=parts_of(group, members, groups.reverts),
        marks=tuple(members[number].mark for number in group.numbers),
        landed=tuple(sorted(brought)),
        earlier=earlier,
    )


def _telling(group: ChangeGroup, brought: Set[int], earlier: Sequence[int]) -> ToldAs:
    if not earlier:
        return "delivered"
    back = {pair.number for pair in group.pairs if pair.kind is Kind.RESUBMISSION}
    return "resubmission" if brought <= back else "port"


def _with_plain(change: ToldChange, brought: Set[int]) -> ToldChange:
    """Let the brought numbers stand alone, and every other one carry its mark."""
    return msgspec.structs.replace(change, plain=frozenset(brought))
