"""Which requests a report tells and why not the others, as programs read it."""

from collections.abc import Iterable, Mapping

import msgspec

from projections.period_ledger.excluding import Classified, Exclusions
from projections.period_ledger.exclusions import Class
from projections.period_ledger.reconciliation import Kept


class ClassDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A person's decision about a class, and its record."""

    record: str
    author: str
    reason: str | None


class PathAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"role": "is"}):
    """One path of a request, as what it was taken, and by which rule."""

    path: str
    role: str | None
    rule: str | None
    glob: str | None


class ClassifiedAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"kind": "class"}):
    """One request's class with its evidence: rules, every path, commits, records."""

    number: int
    kind: str
    outcome: str
    active: bool
    rules: tuple[str, ...]
    decision: ClassDecision | None
    files: str
    files_from: str
    paths: tuple[PathAnswer, ...]
    commits: tuple[str, ...]
    records: tuple[str, ...]
    format_rules: tuple[str, ...]


class DoubtfulAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is kept because its list of files proves nothing."""

    number: int
    files: str | None


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a report keeps and excludes; what is told is known by its themes alone."""

    merged: int
    kept: tuple[int, ...]
    excluded: dict[str, tuple[int, ...]]


class BalanceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the ledger balances; None where that cannot be told."""

    difference: int | None
    balanced: bool | None


def classified_answer(request: Classified) -> ClassifiedAnswer:
    """Return one request's class with its evidence."""
    verdict, decided = request.verdict, request.verdict.decided
    judged = {judgement.record_id for judgement in request.judgements}
    records = {*request.files.records, *judged, *([decided.record_id] if decided else [])}
    return ClassifiedAnswer(
        number=request.number,
        kind=verdict.kind,
        outcome=request.outcome,
        active=request.active,
        rules=tuple(verdict.rules),
        decision=None
        if decided is None
        else ClassDecision(
            record=decided.record_id, author=decided.author, reason=decided.reason or None
        ),
        files=request.files.state,
        files_from=request.files.origin,
        paths=tuple(
            PathAnswer(path=path.path, role=path.role, rule=path.rule, glob=path.glob)
            for path in verdict.paths
        ),
        commits=tuple(request.files.commits),
        records=tuple(sorted(records)),
        format_rules=tuple(sorted({judgement.rules for judgement in request.judgements})),
    )


def kept_answer(kept: Kept) -> KeptAnswer:
    """Return what a report keeps and excludes."""
    return KeptAnswer(
        merged=len(kept.merged), kept=tuple(kept.kept), excluded=_by_class(kept.excluded)
    )


def _by_class(excluded: Mapping[Class, Iterable[int]]) -> dict[str, tuple[int, ...]]:
    return {kind: tuple(numbers) for kind, numbers in excluded.items()}


def excluded_answers(exclusions: Exclusions) -> tuple[ClassifiedAnswer, ...]:
    requests = exclusions.requests.values()
    return tuple(classified_answer(request) for request in requests if request.verdict.excluded)
