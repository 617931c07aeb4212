"""Folding the log into timelines.

For each record, in log order: store its observations, then fold every number it touches once, all
at K = the record's `recorded_at`. A batch is folded in memory and written at its end; the result
does not depend on where batches are cut.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec
from sqlalchemy import Connection, select

from events.errors import InvalidEvent
from events.facts.base import Fact, Trust
from events.facts.issue import IssueObserved
from events.facts.operations import ConflictObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import CensusObserved, GapFilled, GapObserved, RepositoryObserved
from events.identity import RepositoryKey, body_digest
from events.instant import INF
from projections.pull_requests import reach, store
from projections.pull_requests.observation import (
    CensusSighting,
    IssueSighting,
    Observation,
    Sighting,
)
from projections.pull_requests.tables import PullRequestTables
from projections.pull_requests.texts import text_digest, texts_in
from projections.pull_requests.timeline import timeline
from projections.store.base import Poisoned, Translated
from projections.store.dedup import take_earlier, unseen
from projections.store.observations import Row, encoded, insert_rows, rows_of, write_texts


class PullRequests:
    """One generation of the timelines of all pull requests."""

    name: ClassVar[str] = "pull_requests"
    version: ClassVar[int] = 6

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = PullRequestTables(generation)
        self.metadata = self.tables.metadata
        self._stored = (self.tables.observations, self.tables.coverage)

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        batch = unseen(connection, self._stored, batch)
        fold = _Fold(connection, self.tables, batch)
        poisoned = [poison for entry in batch if (poison := fold.take(entry)) is not None]
        fold.write()
        return poisoned

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: the touched numbers are folded again from their first record."""
        taken = take_earlier(connection, self._stored, entry)
        if not unseen(connection, self._stored, [entry]):
            return
        rows, coverage = _observation_rows(entry, _sightings_in(entry)), rows_of([entry], _coverage)
        insert_rows(connection, self.tables.observations, rows)
        insert_rows(connection, self.tables.coverage, coverage)
        write_texts(connection, self.tables.texts, texts_in(entry))
        touched = _numbers(entry.facts) | {row.number for row in taken if hasattr(row, "number")}
        if _censuses(entry) or any(getattr(row, "kind", None) == "census" for row in taken):
            # what was open between then and now is not told by what is open now
            touched |= _observed_numbers(connection, self.tables, entry.repo)
            touched |= _census_numbers(connection, self.tables, entry)
        self.fold_again(connection, entry.repo, touched)
        reach.note_again(connection, self.tables, entry.repo, touched, rows)

    def fold_again(
        self, connection: Connection, repo: RepositoryKey, numbers: Iterable[int]
    ) -> None:
        """Rebuild the rows of some numbers from their stored observations, dated by the log."""
        numbers = set(numbers)
        for number in numbers:
            store.forget(connection, self.tables, repo, number)
        histories = store.load(connection, self.tables, {repo: numbers})
        censuses = store.load_censuses(connection, self.tables, [repo])[repo]
        for history in histories.values():
            moments = sorted(
                {sightings.k for sightings in history.sightings}
                | {sightings.k for sightings in censuses}
            )
            for k in moments:
                sightings = [sighting for sighting in history.sightings if sighting.k <= k]
                history.fold(
                    timeline(sightings, [census for census in censuses if census.k <= k]), k
                )
        store.write(connection, self.tables, histories)


class _Fold:
    """The state of one batch: histories in memory, and the rows to be written at its end."""

    def __init__(
        self, connection: Connection, tables: PullRequestTables, batch: Sequence[Translated]
    ) -> None:
        self._connection, self._tables = connection, tables
        touched: dict[RepositoryKey, set[int]] = defaultdict(set)
        for entry in batch:
            touched[entry.repo] |= _numbers(entry.facts)
            touched[entry.repo] |= _census_numbers(connection, tables, entry)
        self._histories = store.load(connection, tables, touched)
        self._censuses = store.load_censuses(connection, tables, touched)
        self._observations: list[Row] = []
        self._coverage: list[Row] = []
        self._texts: dict[tuple[RepositoryKey, str], str] = {}

    def take(self, entry: Translated) -> Poisoned | None:
        """Fold one entry, wholly or not at all."""
        sightings = _sightings_in(entry)
        touched = {(entry.repo, sighting.fact.number) for sighting in sightings}
        censuses = self._censuses[entry.repo]
        new_censuses = _censuses(entry)
        if new_censuses:
            touched |= {key for key in self._histories if key[0] == entry.repo}
        try:
            results = {
                (repo, number): timeline(
                    self._histories[repo, number].sightings
                    + [sighting for sighting in sightings if sighting.fact.number == number],
                    censuses + new_censuses,
                )
                for repo, number in touched
            }
        except InvalidEvent as error:
            numbers = tuple(sorted(number for _, number in touched))
            return Poisoned(
                entry=entry, stage="fold", reason=error.reason, path=error.path, numbers=numbers
            )
        for sighting in sightings:
            self._histories[entry.repo, sighting.fact.number].sightings.append(sighting)
        censuses += new_censuses
        for key, result in results.items():
            self._histories[key].fold(result, entry.k)
        self._observations += _observation_rows(entry, sightings)
        self._coverage += rows_of([entry], _coverage)
        self._texts |= texts_in(entry)
        return None

    def write(self) -> None:
        """Write the batch."""
        insert_rows(self._connection, self._tables.observations, self._observations)
        insert_rows(self._connection, self._tables.coverage, self._coverage)
        write_texts(self._connection, self._tables.texts, self._texts)
        store.write(self._connection, self._tables, self._histories)
        reach.note_batch(self._connection, self._tables, self._observations, self._histories)


def _numbers(facts: Iterable[Fact]) -> set[int]:
    return {fact.number for fact in facts if isinstance(fact, PullRequestObserved | IssueObserved)}


def _censuses(entry: Translated) -> list[CensusSighting]:
    return [
        CensusSighting(k=entry.k, record_id=entry.record_id, fact=fact)
        for fact in entry.facts
        if isinstance(fact, CensusObserved) and fact.complete
    ]


def _census_numbers(
    connection: Connection, tables: PullRequestTables, entry: Translated
) -> set[int]:
    """Return the numbers whose timeline a census may change: those open, and those too high.

    A request that was observed later than the census is among the ones the batch touches.
    """
    numbers: set[int] = set()
    for census in _censuses(entry):
        states, obs = tables.states, tables.observations
        was_open = select(states.c.number).where(
            states.c.repo == entry.repo,
            states.c.state == "open",
            states.c.kt == INF,
            states.c.vf <= census.fact.at,
            states.c.vt >= census.fact.at,
        )
        too_high = select(obs.c.number).where(
            obs.c.repo == entry.repo,
            obs.c.trust < Trust.ARCHIVE_FULL,
            obs.c.number > census.fact.highest_number,
        )
        numbers |= set(connection.scalars(was_open)) | set(connection.scalars(too_high))
        numbers |= set(census.fact.open_numbers)
    return numbers


def _observed_numbers(
    connection: Connection, tables: PullRequestTables, repo: RepositoryKey
) -> set[int]:
    table = tables.observations
    return set(connection.scalars(select(table.c.number).where(table.c.repo == repo).distinct()))


def _sightings_in(entry: Translated) -> list[Sighting]:
    if not _numbers(entry.facts):
        return []
    sightings: list[Sighting] = []
    for idx, fact in enumerate(entry.facts):
        common: dict[str, Any] = {"k": entry.k, "idx": idx}
        common |= {"record_id": entry.record_id, "source": entry.source}
        if isinstance(fact, PullRequestObserved):
            # snapshots repeat the text; it is stored once, and the fact keeps its digest
            fact = msgspec.structs.replace(
                fact, body=text_digest(fact.body), body_from=text_digest(fact.body_from)
            )
            sightings.append(Observation(**common, digest=_digest(fact), fact=fact))
        elif isinstance(fact, IssueObserved):
            # the text of an issue is for the roadmap; here only its being an issue counts
            bare = msgspec.structs.replace(fact, body=None, body_from=None)
            sightings.append(IssueSighting(**common, digest=_digest(bare), fact=bare))
    return sightings


def _digest(fact: Fact) -> str:
    """Return what tells two statements of one second apart; of two bodies they may be equal."""
    return body_digest(encoded(fact).encode())


def _observation_rows(entry: Translated, sightings: Iterable[Sighting]) -> list[Row]:
    return [
        {
            "repo": entry.repo,
            "number": sighting.fact.number,
            "k": sighting.k,
            "idx": sighting.idx,
            "record_id": sighting.record_id,
            "source": sighting.source,
            "digest": sighting.digest,
            "trust": int(sighting.fact.trust) if isinstance(sighting, Observation) else 0,
            "at": sighting.fact.at,
            "kind": sighting.fact.kind,
            "is_issue": isinstance(sighting, IssueSighting),
            "head": sighting.fact.head if isinstance(sighting, Observation) else None,
            "fields": encoded(sighting.fact),
        }
        for sighting in sightings
    ]


def _coverage(entry: Translated, fact: Fact) -> Row | None:
    match fact:
        case CensusObserved():
            kind, at = "census", fact.at
        case GapObserved():
            kind, at = "gap", fact.start
        case GapFilled():
            kind, at = "filled", entry.k
        case ConflictObserved():
            kind, at = "conflict", entry.k
        case RepositoryObserved(created=True):
            kind, at = "created", fact.at
        case _:
            return None
    return {"kind": kind, "at": at, "fields": encoded(fact)}
