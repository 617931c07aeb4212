"""Which decision holds where several are about the same. Pure.

Each names those it replaces. Of those that nobody replaced the last by (decided_at, id) holds; are
there several, their authors did not know of each other, and that is flagged.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from events.facts.editions import TellingDecided
from events.instant import Instant

#: What a decision is about: kind, numbers, theme, section, language, start, end, releases.
Subject: TypeAlias = tuple[str, tuple[int, ...], str, str, str, int, int, tuple[str, ...]]
#: The two tags of an edition that tells what one brings against the other.
Releases: TypeAlias = tuple[str, str]


class RecordedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision with its record."""

    record_id: str
    fact: TellingDecided


class ActiveDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The decision that holds; `rivals` are the records of those made beside it, unknowingly."""

    record_id: str
    fact: TellingDecided
    rivals: tuple[str, ...] = ()


def subject(fact: TellingDecided) -> Subject:
    """Return what a decision is about: decisions with equal subjects replace each other."""
    return (
        fact.kind,
        tuple(sorted(fact.numbers)),
        fact.theme,
        fact.section or "",
        fact.language or "",
        -1 if fact.start is None else fact.start,
        -1 if fact.end is None else fact.end,
        fact.releases or (),
    )


def active_by_subject(decisions: Iterable[RecordedDecision]) -> dict[Subject, ActiveDecision]:
    """Return the decision that holds about each subject, those taken back too (value None)."""
    by_subject: dict[Subject, list[RecordedDecision]] = defaultdict(list)
    for one in decisions:
        by_subject[subject(one.fact)].append(one)
    return {about: _last(found) for about, found in sorted(by_subject.items())}


def active_decisions(
    decisions: Iterable[RecordedDecision],
    start: Instant,
    end: Instant,
    releases: Releases | None = None,
) -> tuple[ActiveDecision, ...]:
    """Return what holds for an edition about [start, end), or about two releases, in any language.

    A decision for the edition's own range comes after one for all ranges, so it is the one that
    counts where both are about the same.
    """
    found = [
        one
        for one in active_by_subject(decisions).values()
        if one.fact.value is not None and _within(one.fact, start, end, releases)
    ]
    return tuple(sorted(found, key=lambda one: (one.fact.start is not None, _age(one))))


def replaced_by(decisions: Iterable[RecordedDecision], fact: TellingDecided) -> tuple[str, ...]:
    """Return the records that a new decision replaces: all about its subject that still stand."""
    same = [one for one in decisions if subject(one.fact) == subject(fact)]
    return tuple(sorted(one.record_id for one in _heads(same)))


def _last(found: list[RecordedDecision]) -> ActiveDecision:
    heads = sorted(_heads(found), key=_age)
    last = heads[-1]
    return ActiveDecision(
        record_id=last.record_id,
        fact=last.fact,
        rivals=tuple(one.record_id for one in heads[:-1]),
    )


def _heads(found: Iterable[RecordedDecision]) -> Iterator[RecordedDecision]:
    """Yield those that none of the others replaces.

    A person's clock may be wrong, so a replacement counts whatever its date; only in a circle,
    which no honest log holds, all of them stand.
    """
    given = list(found)
    replaced = {name for one in given for name in one.fact.replaces if name != one.record_id}
    heads = [one for one in given if one.record_id not in replaced]
    yield from heads or given


def _within(fact: TellingDecided, start: Instant, end: Instant, releases: Releases | None) -> bool:
    low, high = fact.start, fact.end
    if fact.releases is not None or (releases is not None and (low, high) != (None, None)):
        # the time between two releases is no period, and what they hold is not of that time
        return fact.releases == releases
    return (low is None or low <= start) and (high is None or end <= high)


def _age(one: RecordedDecision | ActiveDecision) -> tuple[Instant, str]:
    return (one.fact.decided_at, one.record_id)
