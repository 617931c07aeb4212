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

#: What a decision is about: kind, numbers, theme, section, language, range, releases.
Subject: TypeAlias = tuple[str, tuple[int, ...], str, str, str, tuple[str, ...], tuple[str, ...]]
#: The first and the last local day of a period of whole days.
Days: TypeAlias = tuple[str, str]
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
        _range(fact),
        fact.releases or (),
    )


def active_by_subject(decisions: Iterable[RecordedDecision]) -> dict[Subject, ActiveDecision]:
    """Return the decision that holds about each subject, those taken back too (value None)."""
    by_subject: dict[Subject, list[RecordedDecision]] = defaultdict(list)
    for decision in decisions:
        by_subject[subject(decision.fact)].append(decision)
    return {about: _last(rivals) for about, rivals in sorted(by_subject.items())}


def active_decisions(
    decisions: Iterable[RecordedDecision],
    start: Instant,
    end: Instant,
    releases: Releases | None = None,
    *,
    days: Days | None = None,
) -> tuple[ActiveDecision, ...]:
    """Return what holds for an edition about [start, end), or about two releases, in any language.

    `days` are the local days of the edition, where it is about whole days: `July` is July in every
    zone, so that nobody who decides has to name the zone in which the edition is published.
    A decision for the edition's own range comes after one for all ranges, so it is the one that
    counts where both are about the same.
    """
    active = [
        decision
        for decision in active_by_subject(decisions).values()
        if decision.fact.value is not None and _within(decision.fact, start, end, releases, days)
    ]
    return tuple(
        sorted(active, key=lambda decision: (decision.fact.start is not None, _age(decision)))
    )


def replaced_by(decisions: Iterable[RecordedDecision], fact: TellingDecided) -> tuple[str, ...]:
    """Return the records that a new decision replaces: all about its subject that still stand."""
    same = [decision for decision in decisions if subject(decision.fact) == subject(fact)]
    return tuple(sorted(decision.record_id for decision in _heads(same)))


def _last(decisions: list[RecordedDecision]) -> ActiveDecision:
    heads = sorted(_heads(decisions), key=_age)
    last = heads[-1]
    return ActiveDecision(
        record_id=last.record_id,
        fact=last.fact,
        rivals=tuple(head.record_id for head in heads[:-1]),
    )


def _heads(decisions: Iterable[RecordedDecision]) -> Iterator[RecordedDecision]:
    """Yield those that none of the others replaces.

    A person's clock may be wrong, so a replacement counts whatever its date; only in a circle,
    which no honest log holds, all of them stand.
    """
    given = list(decisions)
    replaced = {
        name for decision in given for name in decision.fact.replaces if name != decision.record_id
    }
    heads = [decision for decision in given if decision.record_id not in replaced]
    yield from heads or given


def _range(fact: TellingDecided) -> tuple[str, ...]:
    if fact.days is not None:
        return fact.days
    return () if fact.start is None else (str(fact.start), str(fact.end))


def _within(
    fact: TellingDecided,
    start: Instant,
    end: Instant,
    releases: Releases | None,
    days: Days | None,
) -> bool:
    low, high = fact.start, fact.end
    if fact.releases is not None or (releases is not None and (low, high) != (None, None)):
        # the time between two releases is no period, and what they hold is not of that time
        return fact.releases == releases
    if fact.days is not None and days is not None:
        return fact.days[0] <= days[0] and days[1] <= fact.days[1]
    return (low is None or low <= start) and (high is None or end <= high)


def _age(decision: RecordedDecision | ActiveDecision) -> tuple[Instant, str]:
    return (decision.fact.decided_at, decision.record_id)
