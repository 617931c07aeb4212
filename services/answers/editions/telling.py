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
from projections.pull_requests.queries import Attributes
from projections.pull_requests.texts import RequestText
from services.answers.editions.choices import Choices, changed_since, decided_line
from services.answers.editions.edition import Line, ReviewNote, ToldChange
from services.answers.editions.grouping import numbers_in_question, uncertain_pairs
from services.answers.editions.words import LANGUAGES
from services.answers.reports.assemble import Report
from services.answers.text.bullets import Bullet, Source, bullet

_LANDED: Final = frozenset({"delivered", "in part", "partly delivered", "port", "resubmission"})
_OPEN: Final = frozenset({"in progress", "partly delivered"})


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """The changes by section, and why each other merged or active request is told nowhere."""

    changes: tuple[ToldChange, ...]
    not_told: Mapping[int, str]
    uncertain: tuple[Pair, ...]
    looks: tuple[ReviewNote, ...]

    def of(self, section: Section) -> list[ToldChange]:
        """Return the changes of a section, by their leads."""
        return [one for one in self.changes if one.section == section]


def tell_changes(
    report: Report,
    groups: ChangeGroups,
    classes: Mapping[int, Class],
    held: Choices,
) -> Telling:
    """Tell every change group that has a merged or active request."""
    merged, active = numbers_in_question(report)
    # a change and what takes it back are one story, told by how the change stands at the end
    known = {} if report.places is None else report.places.takes_back
    back = {
        number: target for number, target in (*groups.reverts, *known.items()) if target in merged
    }
    force = _in_force(report, groups.members)
    changes: list[ToldChange] = []
    not_told: dict[int, str] = {}
    looks: list[ReviewNote] = []
    for group in groups.grouping.groups:
        own = (merged | active) & set(group.numbers)
        if not own:
            continue
        told = tell(group, groups.members, report.ledger.a, report.ledger.b, groups.reverts, force)
        section, reason = _section(told, own, classes, held)
        if report.places is not None and set(group.numbers) <= report.places.syncs:
            section, reason = None, "brings one branch to another, and no change of its own"
        if section is not None and own <= back.keys():
            section, reason = None, f"takes back #{back[min(own)]} of the same period"
        looks += looks_at(held, group, section)
        if section is None:
            not_told |= dict.fromkeys(sorted(own), reason)
        else:
            changes.append(told_change(told, section, groups, report.requests, held))
    not_told |= dict.fromkeys(
        sorted((merged | active) - groups.members.keys()), "nothing shows it open or merged"
    )
    return Telling(
        changes=tuple(changes),
        not_told=not_told,
        uncertain=uncertain_pairs(report, groups),
        looks=tuple(looks),
    )


def _in_force(report: Report, members: Mapping[int, Member]) -> dict[int, InForce]:
    """Return how much of each merged request its base has at the end, where commits tell that."""
    found: dict[int, InForce] = {}
    for number, placed in (report.places.requests if report.places else {}).items():
        base = members[number].base if number in members else None
        if base in placed.branches:
            found[number] = "whole"
        elif base in placed.partly:
            found[number] = "part"
        elif base in placed.reverted:
            found[number] = "none"
    return found


def _section(
    told: ToldGroup, own: Set[int], classes: Mapping[int, Class], held: Choices
) -> tuple[Section | None, str]:
    """Return where a change is told, or None and why nowhere."""
    hidden = held.about("hide", told.group.numbers)
    if hidden is not None:
        return None, f"hidden: {hidden.fact.reason or hidden.fact.author}"
    kept = [number for number in own if classes.get(number, "kept") == "kept"]
    if not kept:
        return None, next(classes[number] for number in sorted(own))
    if told.telling in _LANDED and told.landed:
        return "delivered", ""
    if told.standing in _OPEN:
        return "in_progress", ""
    return None, told.telling


def told_change(
    told: ToldGroup,
    section: Section,
    groups: ChangeGroups,
    requests: Mapping[int, Attributes],
    held: Choices,
) -> ToldChange:
    """Return a change as its section tells it, with its bullets."""
    group = told.group
    usual = "merged" if section == "delivered" else "open"
    own = {number: groups.members[number] for number in group.numbers}
    made = _made(group, own, requests, groups.texts)
    return ToldChange(
        told=told,
        section=section,
        members=own,
        plain=frozenset(
            number
            for number, one in own.items()
            if one.state == usual and number not in told.earlier
        ),
        made=made,
        bullets={language: _bullet(group, made, held, language) for language in LANGUAGES},
    )


def _made(
    group: ChangeGroup,
    own: Mapping[int, Member],
    requests: Mapping[int, Attributes],
    texts: Mapping[int, RequestText],
) -> Bullet:
    shown = requests.get(group.lead)
    ordered = (group.lead, *group.twins)
    return bullet(
        Source(
            title=own[group.lead].title or f"#{group.lead}",
            numbers=ordered,
            draft=bool(shown and shown.draft) and own[group.lead].state == "open",
            texts=tuple(texts[number] for number in ordered if number in texts),
        )
    )


def _bullet(group: ChangeGroup, made: Bullet, held: Choices, language: Language) -> Line:
    decided = held.about("bullet", group.numbers, language)
    if decided is None:
        return Line(text=made.line, origin="title", numbers=made.numbers)
    return decided_line(decided, made.numbers)


def looks_at(held: Choices, group: ChangeGroup, section: Section | None) -> Iterable[ReviewNote]:
    """Yield the decisions about a change that has changed since."""
    for language in LANGUAGES:
        decided = held.about("bullet", group.numbers, language)
        look = decided and changed_since(decided, section, group.numbers)
        if look:
            yield look
    placed, hidden = held.about("theme", group.numbers), held.about("hide", group.numbers)
    if placed and (look := changed_since(placed, section, group.numbers)):
        yield look
    if hidden and (look := changed_since(hidden, hidden.fact.saw.section, group.numbers)):
        yield look
