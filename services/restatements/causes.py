"""Why each request moved: found in the rows and records of the read model and the log."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from events.errors import InvalidEvent, NotFound
from events.facts.curation import MentionDecided
from events.facts.editions import TellingDecided
from events.identity import RepositoryKey
from events.record import Entry
from events.translate import translate
from projections.period_ledger.excluding import Classified
from projections.pull_requests.restated import KnownLife, Sight, coverage_sights, known_lives
from projections.read_model import Snapshot
from services.logs.walk import find
from services.receipts.cuts import between
from services.receipts.ground import Ground
from services.reports.assemble import Report
from services.restatements.deciding import deciding, later_record, sight_at
from services.restatements.figures import Name
from services.restatements.restatement import Cause, Explained
from services.restatements.tracing import Change, Move, StepName

#: The counts by which a request is active, and so in the table of the excluded.
_ACTIVE: Final = frozenset(
    (
        "opened",
        "merged",
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
        ground: Ground,
        snapshot: Snapshot,
        steps: Steps,
        by_step: Mapping[StepName, Cause],
    ) -> None:
        """`by_step` are the causes of steps that have one for all requests."""
        self._ground, self._snapshot, self._steps = ground, snapshot, steps
        self._by_step = by_step
        self._repo: RepositoryKey = steps.before.repo
        self._after, self._until = steps.before.known_at, steps.later.known_at
        self._coverage = coverage_sights(snapshot, self._repo, self._after, self._until)
        self._lives: dict[int, KnownLife] = {}
        self._entries: dict[str, Entry | None] = {}
        self._decisions: dict[int, Cause] | None = None

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
            Explained(number=number, cause=cause, moves=tuple(found))
            for (number, cause), found in grouped.items()
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
        record = None if life is None else later_record(life, start, end, self._until)
        if record is not None:
            return self._of_later(record)
        if name.basis == "raw":
            return _NOBODY
        return self._of_class(number, self._steps.late, self._steps.later)

    def _of_class(self, number: int, first: Report, second: Report) -> Cause:
        """The newest record behind a request's paths that was not behind them before.

        Where all of these were known: a decision about it, else what gave it another head or state.
        """
        known = _evidence(first.exclusions.requests.get(number))
        new = _evidence(second.exclusions.requests.get(number)) - known
        entries = [entry for each in new if (entry := self._entry(each)) is not None]
        late = [e for e in entries if self._after < e.recorded_at <= self._until]
        if late:
            return _of_entry(max(late, key=lambda entry: entry.recorded_at))
        if self._decisions is None:
            self._decisions = self._read_decisions()
        if number in self._decisions:
            return self._decisions[number]
        seen = self._lives[number].sights if number in self._lives else ()
        new_sights = [sight for sight in seen if self._after < sight.k <= self._until]
        newest = max(new_sights, key=lambda sight: sight.k, default=None)
        return _NOBODY if newest is None else _of_sight(newest)

    def _read_decisions(self) -> dict[int, Cause]:
        found: dict[int, Cause] = {}
        partition = self._ground.partition_of(self._repo)
        for entry in between(self._ground.log, partition, self._after, self._until):
            record = entry.record
            if record.source == "curation" and record.repository == self._repo:
                found |= dict.fromkeys(_numbers_of(entry), _of_entry(entry))
        return found

    def _of_later(self, record_id: str) -> Cause:
        entry = self._entry(record_id)
        if entry is None:
            return Cause(kind="later event", record=record_id)
        cause = _of_entry(entry)
        late = cause.kind == "late record"
        return msgspec.structs.replace(cause, kind="later event") if late else cause

    def _entry(self, record_id: str) -> Entry | None:
        if record_id not in self._entries:
            partition = self._ground.partition_of(self._repo)
            try:
                found = find(self._ground.log, partition, self._repo, record_id)
            except NotFound:
                self._entries[record_id] = None
            else:
                self._entries[record_id] = found
        return self._entries[record_id]


def _evidence(found: Classified | None) -> set[str]:
    if found is None:
        return set()
    return {*found.files.records, *(one.record_id for one in found.judgements)}


def _numbers_of(entry: Entry) -> set[int]:
    """Return the requests whose class a decision may have changed."""
    try:
        facts = translate(entry.record).facts
    except InvalidEvent:
        return set()
    found: set[int] = set()
    for fact in facts:
        if isinstance(fact, TellingDecided) and fact.kind == "exclusion":
            found.update(fact.numbers)
        elif isinstance(fact, MentionDecided) and fact.number is not None:
            found.add(fact.number)
    return found


def _of_sight(sight: Sight) -> Cause:
    return Cause(
        kind="curation" if sight.source == "curation" else "late record",
        record=sight.record_id,
        source=sight.source,
        recorded_at=sight.k,
    )


def _of_entry(entry: Entry) -> Cause:
    return Cause(
        kind="curation" if entry.record.source == "curation" else "late record",
        record=entry.record.id,
        source=entry.record.source,
        recorded_at=entry.recorded_at,
    )
