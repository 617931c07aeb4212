"""What changed since a report was made, as programs read it. Times are RFC 3339 in UTC."""

import msgspec

from projections.period_ledger.quality import Doubt
from services.answers.reports.life_forms import NamedRepository
from services.answers.reports.wording import rfc3339
from services.audit.restatements.restatement import Cause, Explained, Restatement, Side
from services.audit.restatements.told import ToldBefore
from services.audit.restatements.tracing import Change


class SpanAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """[from, to) in the zone `tz`."""

    start: str | None
    to: str | None
    tz: str


class SideAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two answers."""

    known_at: str | None
    end: str | None
    rules: str | None
    answers: str | None
    edition: str | None


class CauseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Why a figure moved."""

    kind: str
    says: str | None
    record: str | None
    source: str | None
    recorded_at: str | None


class FigureChange(
    msgspec.Struct, frozen=True, kw_only=True, rename={"into": "in", "out_of": "out"}
):
    """One figure before and after, and the requests that came into it or left it."""

    basis: str
    count: str
    before: int | None
    after: int | None
    difference: int | None
    quality_before: str | None
    quality_after: str | None
    into: tuple[int, ...]
    out_of: tuple[int, ...]
    unlisted: int | None


class MoveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A figure that a request came into (+1) or left (-1)."""

    basis: str
    count: str
    by: int


class ExplainedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One request with one cause."""

    number: int
    cause: CauseAnswer
    moves: tuple[MoveAnswer, ...]


class DoubtChange(msgspec.Struct, frozen=True, kw_only=True):
    """A doubt that is gone, or new."""

    kind: str
    says: str
    evidence: tuple[str, ...]


class CoverageChange(msgspec.Struct, frozen=True, kw_only=True):
    """What is no longer missing, what is missing now, and the records that decided it."""

    gone: tuple[DoubtChange, ...]
    new: tuple[DoubtChange, ...]
    records: tuple[CauseAnswer, ...]


class RestatementAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that differs between two answers, in the order in which it is ranked."""

    repository: NamedRepository
    period: SpanAnswer
    before: SideAnswer
    after: SideAnswer
    changes: tuple[FigureChange, ...]
    requests: tuple[ExplainedAnswer, ...]
    unlisted: tuple[CauseAnswer, ...]
    coverage: CoverageChange
    told_before: tuple[ToldBefore, ...]


def restatement_answer(restatement: Restatement) -> RestatementAnswer:
    period = restatement.period
    return RestatementAnswer(
        repository=NamedRepository(name=restatement.full_name, key=restatement.repo),
        period=SpanAnswer(start=rfc3339(period.start), to=rfc3339(period.end), tz=period.zone),
        before=_side_answer(restatement.before),
        after=_side_answer(restatement.after),
        changes=tuple(map(_change, restatement.changes)),
        requests=tuple(map(_explained, restatement.requests)),
        unlisted=tuple(map(_cause_answer, restatement.unlisted)),
        coverage=CoverageChange(
            gone=tuple(map(_doubt, restatement.doubts_gone)),
            new=tuple(map(_doubt, restatement.doubts_new)),
            records=tuple(map(_cause_answer, restatement.coverage_records)),
        ),
        told_before=restatement.told,
    )


def _side_answer(side: Side) -> SideAnswer:
    return SideAnswer(
        known_at=rfc3339(side.known_at),
        end=rfc3339(side.end),
        rules=side.rules,
        answers=side.answers,
        edition=side.edition,
    )


def _change(change: Change) -> FigureChange:
    return FigureChange(
        basis=change.name.basis,
        count=change.name.count,
        before=change.before.value,
        after=change.after.value,
        difference=change.difference,
        quality_before=change.before.quality or None,
        quality_after=change.after.quality or None,
        into=tuple(move.number for move in change.moves if move.into),
        out_of=tuple(move.number for move in change.moves if not move.into),
        unlisted=change.unlisted,
    )


def _explained(explained: Explained) -> ExplainedAnswer:
    return ExplainedAnswer(
        number=explained.number,
        cause=_cause_answer(explained.cause),
        moves=tuple(
            MoveAnswer(basis=name.basis, count=name.count, by=by) for name, by in explained.moves
        ),
    )


def _cause_answer(cause: Cause) -> CauseAnswer:
    return CauseAnswer(
        kind=cause.kind,
        says=cause.says or None,
        record=cause.record,
        source=cause.source,
        recorded_at=rfc3339(cause.recorded_at),
    )


def _doubt(doubt: Doubt) -> DoubtChange:
    return DoubtChange(kind=doubt.kind, says=doubt.says, evidence=tuple(doubt.evidence))
