"""Which changes an edition tells, in which section, and with what bullet. Pure but for its input.

A change is delivered where it landed in the period and is in force; one that is open and was worked
on in the period is in progress. What was reverted, hidden or excluded, and what took back a change
of the same period, is named as not told.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Final

import msgspec

from events.facts.editions import Language, Section
from projections.period_ledger.change_groups.grouping import ChangeGroup
from projections.period_ledger.change_groups.members import Member, Pair
from projections.period_ledger.change_groups.queries import ChangeGroups
from projections.period_ledger.change_groups.standing import InForce, ToldGroup, tell
from projections.period_ledger.exclusions import Class
from projections.pull_requests.attributes import Attributes
from projections.pull_requests.texts import RequestText
from services.answers.editions.choices import Choices, changed_since, decided_line
from services.answers.editions.edition import Line, ReviewNote, ToldChange
from services.answers.editions.grouping import numbers_in_question, uncertain_pairs
from services.answers.editions.words import LANGUAGES
from services.answers.reports.assemble import Report
from services.answers.text.bullets import Bullet, Source, bullet

_LANDED: Final = frozenset(
    {"delivered", "untraced", "in part", "partly delivered", "port", "resubmission"}
)
_OPEN: Final = frozenset({"in progress", "partly delivered"})


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """The changes by section, and why each other merged or active request is told nowhere."""

    changes: tuple[ToldChange, ...]
    not_told: Mapping[int, str]
    uncertain: tuple[Pair, ...]
    looks: tuple[ReviewNote, ...]
    left: Mapping[int, str] = {}
    """Why a number of a change that is told nowhere is not, also one that nothing happened to."""

    def why_not(self, number: int, section: Section) -> str:
        """Return why a number is not told in a section."""
        for change in self.changes:
            if number in change.numbers and change.section != section:
                return f"it is {change.section.replace('_', ' ')} now"
        reason = self.left.get(number) or self.not_told.get(number)
        return reason or "nothing happened to it in the period any more"

    def of(self, section: Section) -> list[ToldChange]:
        """Return the changes of a section, by their leads."""
        return [change for change in self.changes if change.section == section]


def tell_changes(
    report: Report,
    groups: ChangeGroups,
    classes: Mapping[int, Class],
    choices: Choices,
) -> Telling:
    """Tell every change group that has a merged or active request."""
    merged, active = numbers_in_question(report)
    # a change and what takes it back are one story, told by how the change stands at the end
    takes_back = {} if report.places is None else report.places.takes_back
    back = {
        number: target
        for number, target in (*groups.reverts, *takes_back.items())
        if target in merged
    }
    force = _in_force(report, groups.members)
    changes: list[ToldChange] = []
    not_told: dict[int, str] = {}
    left: dict[int, str] = {}
    looks: list[ReviewNote] = []
    for group in groups.grouping.groups:
        own_numbers = (merged | active) & set(group.numbers)
        if not own_numbers:
            continue
        told_group = tell(
            group, groups.members, report.ledger.a, report.ledger.b, groups.reverts, force
        )
        section, reason = _section(told_group, own_numbers, classes, choices)
        syncs = frozenset[int]() if report.places is None else report.places.syncs
        if section is not None and set(group.numbers) <= syncs:
            section, reason = None, "brings one branch to another, and no change of its own"
        if section is not None and own_numbers <= back.keys():
            section, reason = None, f"takes back #{back[min(own_numbers)]} of the same period"
        looks += looks_at(choices, group, section)
        if section is None:
            not_told |= dict.fromkeys(sorted(own_numbers), reason)
            left |= dict.fromkeys(group.numbers, _by_whom(group, reason, groups, takes_back))
        else:
            changes.append(told_change(told_group, section, groups, report.requests, choices))
    not_told |= dict.fromkeys(
        sorted((merged | active) - groups.members.keys()), "nothing shows it open or merged"
    )
    return Telling(
        changes=tuple(changes),
        not_told=not_told,
        uncertain=uncertain_pairs(report, groups),
        looks=tuple(looks),
        left=left,
    )


def _by_whom(
    group: ChangeGroup, reason: str, groups: ChangeGroups, takes_back: Mapping[int, int]
) -> str:
    """Return why a change is told nowhere, of a reverted one with the requests that revert it."""
    if reason != "reverted":
        return reason
    by = sorted(
        number
        for number, target in {*groups.reverts, *takes_back.items()}
        if target in group.numbers and number not in group.numbers
    )
    return f"reverted by {', '.join(f'#{number}' for number in by)}" if by else reason


def _in_force(report: Report, members: Mapping[int, Member]) -> dict[int, InForce]:
    """Return how much of each merged request its base has at the end, where commits tell that."""
    in_force: dict[int, InForce] = {}
    for number, placed in (report.places.requests if report.places else {}).items():
        base = members[number].base if number in members else None
        if base in placed.branches:
            in_force[number] = "whole"
        elif base in placed.partly:
            in_force[number] = "part"
        elif base in placed.reverted:
            in_force[number] = "none"
        elif not placed.traced:
            in_force[number] = "untraced"
    return in_force


def _section(
    told_group: ToldGroup, own_numbers: Set[int], classes: Mapping[int, Class], choices: Choices
) -> tuple[Section | None, str]:
    """Return where a change is told, or None and why nowhere."""
    hidden = choices.about("hide", told_group.group.numbers)
    if hidden is not None:
        return None, f"hidden: {hidden.fact.reason or hidden.fact.author}"
    kept_numbers = [number for number in own_numbers if classes.get(number, "kept") == "kept"]
    if not kept_numbers:
        return None, next(classes[number] for number in sorted(own_numbers))
    if told_group.telling in _LANDED and told_group.landed:
        return "delivered", ""
    if told_group.standing in _OPEN:
        return "in_progress", ""
    return None, told_group.telling


def told_change(
    told_group: ToldGroup,
    section: Section,
    groups: ChangeGroups,
    requests: Mapping[int, Attributes],
    choices: Choices,
) -> ToldChange:
    """Return a change as its section tells it, with its bullets."""
    group = told_group.group
    usual = "merged" if section == "delivered" else "open"
    members = {number: groups.members[number] for number in group.numbers}
    title_bullet = _made(group, members, requests, groups.texts)
    return ToldChange(
        told=told_group,
        section=section,
        members=members,
        plain=frozenset(
            number
            for number, member in members.items()
            if member.state == usual and number not in told_group.earlier
        ),
        made=title_bullet,
        bullets={
            language: _bullet(group, title_bullet, choices, language) for language in LANGUAGES
        },
    )


def _made(
    group: ChangeGroup,
    members: Mapping[int, Member],
    requests: Mapping[int, Attributes],
    texts: Mapping[int, RequestText],
) -> Bullet:
    attributes = requests.get(group.lead)
    ordered = (group.lead, *group.twins)
    return bullet(
        Source(
            title=members[group.lead].title or f"#{group.lead}",
            numbers=ordered,
            draft=bool(attributes and attributes.draft) and members[group.lead].state == "open",
            texts=tuple(texts[number] for number in ordered if number in texts),
        )
    )


def _bullet(group: ChangeGroup, title_bullet: Bullet, choices: Choices, language: Language) -> Line:
    decided = choices.about("bullet", group.numbers, language)
    if decided is None:
        return Line(text=title_bullet.line, origin="title", numbers=title_bullet.numbers)
    return decided_line(decided, title_bullet.numbers)


def looks_at(choices: Choices, group: ChangeGroup, section: Section | None) -> Iterable[ReviewNote]:
    """Yield the decisions about a change that has changed since."""
    for language in LANGUAGES:
        decided = choices.about("bullet", group.numbers, language)
        look = decided and changed_since(decided, section, group.numbers)
        if look:
            yield look
    placed, hidden = choices.about("theme", group.numbers), choices.about("hide", group.numbers)
    if placed and (look := changed_since(placed, section, group.numbers)):
        yield look
    if hidden and (look := changed_since(hidden, hidden.fact.saw.section, group.numbers)):
        yield look
