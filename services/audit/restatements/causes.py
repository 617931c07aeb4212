"""Why each request moved: found in the rows and records of the read model and the log."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from events.identity import RepositoryKey
from projections.period_ledger.excluding import Classified
from projections.pull_requests.restated import KnownLife, KnownRecord, coverage_records, known_lives
from projections.store.snapshot import Snapshot
from services.answers.reports.assemble import Report
from services.audit.restatements.deciding import deciding, later_record, sight_at
from services.audit.restatements.figures import Name
from services.audit.restatements.recorded import Recorded
from services.audit.restatements.restatement import Cause, CauseKind, Explained
from services.audit.restatements.tracing import Change, Move, StepName
from services.stream.stores import Stores

#: The counts by which a request is active, and so in the table of the excluded.
_ACTIVE: Final = frozenset(
    (
        "opened",
        "merged",
        "landed",
        "closed_without_merge",
        "closed_unknown",
        "reopened",
        "active_and_open",
    )
)
_NOBODY: Final = Cause(kind="unexplained", says="no record between the two tells why")


class Steps(msgspec.Struct, frozen=True, kw_only=True):
    """The reports at the stages: the earlier one, with what came late, with the later cut."""

    before: Report
    late: Report
    later: Report


class Causes:
    """Finds causes for the moves of one comparison; each record is looked up once."""

    def __init__(
        self,
        stores: Stores,
        snapshot: Snapshot,
        steps: Steps,
        by_step: Mapping[StepName, Cause],
    ) -> None:
        """`by_step` are the causes of steps that have one for all requests."""
        self._snapshot, self._steps = snapshot, steps
        self._by_step = by_step
        self._repo: RepositoryKey = steps.before.repo
        self._after, self._until = steps.before.known_at, steps.later.known_at
        self._coverage = coverage_records(snapshot, self._repo, self._after, self._until)
        self._recorded = Recorded(stores, self._repo, self._after, self._until)
        self._lives: dict[int, KnownLife] = {}

    def explain(self, changes: Iterable[Change]) -> list[Explained]:
        """Return every request that moved with its causes, by rank of cause and number."""
        moves = [(change.name, move) for change in changes for move in change.moves]
        numbers = {move.number for _, move in moves if move.step in ("late", "later")}
        self._lives = known_lives(self._snapshot, self._repo, numbers)
        grouped: dict[tuple[int, Cause], list[tuple[Name, int]]] = defaultdict(list)
        for name, move in moves:
            cause = self._cause(name, move)
            grouped[move.number, cause].append((name, 1 if move.into else -1))
        return [
            Explained(number=number, cause=cause, moves=tuple(figures))
            for (number, cause), figures in grouped.items()
        ]

    def coverage(self) -> list[Cause]:
        """Return the records about completeness that came between the two answers."""
        return [_of_sight(sight) for sight in self._coverage.values()]

    def _cause(self, name: Name, move: Move) -> Cause:
        if move.step in self._by_step:
            return self._by_step[move.step]
        if move.step == "late":
            return self._late(name, move.number)
        if move.step == "later":
            return self._later(name, move.number)
        return _NOBODY

    def _late(self, name: Name, number: int) -> Cause:
        """The record that decided the count, else the one that decided the class."""
        life = self._lives.get(number)
        counts = _ACTIVE if name.basis == "excluded" else frozenset((name.count,))
        ledger = self._steps.late.ledger
        if life is not None:
            k = deciding(life, counts, ledger.a, ledger.b, self._after, self._until)
            sight = None if k is None else sight_at(life, self._coverage, k)
            if sight is not None:
                return _of_sight(sight)
        if name.basis == "raw":
            return _NOBODY
        return self._of_class(number, self._steps.before, self._steps.late)

    def _later(self, name: Name, number: int) -> Cause:
        """The last thing that happened between the cuts, else what decided the class."""
        life = self._lives.get(number)
        start, end = self._steps.late.end, self._steps.later.end
        if life is not None:
            record = later_record(life, start, end, self._until)
            sights = (*life.records, *self._coverage.values())
            sight = next((sight for sight in sights if sight.record_id == record), None)
            if sight is not None:
                return _of_sight(sight, "later event")
        if name.basis == "raw":
            return _NOBODY
        return self._of_class(number, self._steps.late, self._steps.later)

    def _of_class(self, number: int, first: Report, second: Report) -> Cause:
        """A person's decision, where that changed; else the newest new record behind its paths.

        Where all of these were known: a decision about it, else what gave it another head or state.
        """
        changed = _decision(first, number) != _decision(second, number)
        decided = self._recorded.decision(number) if changed else None
        if decided is not None:
            return decided
        known = _evidence(first.exclusions.requests.get(number))
        new = _evidence(second.exclusions.requests.get(number)) - known
        causes = [cause for record in new if (cause := self._recorded.record(record)) is not None]
        if causes:
            return max(causes, key=lambda cause: (cause.recorded_at or 0, cause.record or ""))
        decided = self._recorded.decision(number)
        if decided is not None:
            return decided
        records = self._lives[number].records if number in self._lives else ()
        sights = [sight for sight in records if self._after < sight.k <= self._until]
        newest = max(sights, key=lambda sight: sight.k, default=None)
        return _NOBODY if newest is None else _of_sight(newest)


def _decision(report: Report, number: int) -> str | None:
    """Return the record by which a person decided the class of a request."""
    request = report.exclusions.requests.get(number)
    decided = None if request is None else request.verdict.decided
    return None if decided is None else decided.record_id


def _evidence(request: Classified | None) -> set[str]:
    if request is None:
        return set()
    return {*request.files.records, *(judgement.record_id for judgement in request.judgements)}


def _of_sight(sight: KnownRecord, kind: CauseKind = "late record") -> Cause:
    return Cause(
        kind="curation" if sight.source == "curation" else kind,
        record=sight.record_id,
        source=sight.source,
        recorded_at=sight.k,
    )
