"""Histories are kept ready, and what is kept is never an answer to another question."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from events.instant import Instant
from events.log.memory import MemoryLog
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.retry import retry
from projections.release_inclusion import view as views
from projections.release_inclusion.answers import inclusion
from projections.release_inclusion.inputs import Inputs, attribution_of
from projections.release_inclusion.tables import ReleaseTables
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.store.snapshot import Snapshot
from services.stream.engines import writing_engine
from services.stream.histories import HistoryKeeper
from tests.builders import REPO, at
from tests.engines import NewEngine
from tests.projections.release_inclusion.bench import (
    LAST,
    ROLES,
    Arrival,
    git,
    merged,
    opened,
)
from tests.projections.release_inclusion.histories import Written, line_of, sha_of
from tests.refusing import refusing
from tests.services.answers.releases.desk import closed
from tests.worlds import SetClock, log_of, project


class Kept:
    """A read model with its keeper, and readers who remember nothing."""

    def __init__(self, new_engine: NewEngine, *arrivals: Arrival) -> None:
        found = [(at(when), record) for when, record in arrivals]
        log = log_of([record for _, record in found], [when for when, _ in found].__getitem__)
        self._stand_on(log, new_engine())

    @classmethod
    def on(cls, log: MemoryLog, engine: Engine) -> "Kept":
        """Return the same of a log, projected as far as it goes."""
        stood = cls.__new__(cls)
        stood._stand_on(log, engine)
        return stood

    def _stand_on(self, log: MemoryLog, engine: Engine) -> None:
        self.engine = engine
        self.model: ReadModel = project(log, engine=engine)
        self.keeper = HistoryKeeper(
            engine=self.engine,
            read_model=self.model,
            roles=lambda _: ROLES,
            histories=HistoryCache(),
        )

    def keep(self) -> None:
        """Do what the loop does in one round."""
        self.keeper._round()

    def view(self, *, known_at: str = LAST) -> ReleaseView:
        """Look with an empty memory, as a new process does."""
        with self.model.snapshot() as snapshot:
            last = snapshot.watermark(REPO).last_recorded
            moment = min(at(known_at), last)
            return view(
                snapshot, REPO, moment, moment, roles=ROLES, families=(), cache=HistoryCache()
            )

    def versions(self) -> list[tuple[str, Instant]]:
        """Return what is kept."""
        with self.model.snapshot() as snapshot:
            table = snapshot.tables(ReleaseTables).kept
            return [(row.version, row.k) for row in snapshot.connection.execute(select(table))]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Inputs]:
    """The inputs of which a history was read anew."""
    read: list[Inputs] = []
    original = attribution_of

    def counted(snapshot: Snapshot, inputs: Inputs, known_at: Instant) -> Any:
        read.append(inputs)
        return original(snapshot, inputs, known_at)

    monkeypatch.setattr(views, "attribution_of", counted)
    return read


def _written() -> Written:
    written = line_of("Add a (#1)", "Add b (#2)", v1="Add a (#1)", v2="Add b (#2)")
    written.branches["main"] = "Add b (#2)"
    return written


def test_what_is_kept_answers_as_what_is_read(new_engine: NewEngine, made: list[Inputs]) -> None:
    stood = Kept(new_engine, *git(_written(), "03-10"))
    read = stood.view()
    stood.keep()
    assert len(made) == 2
    kept = stood.view()
    assert len(made) == 2
    for number in (1, 2):
        for tag in ("v1", "v2"):
            answers = [inclusion(side, number, side.release(tag)) for side in (read, kept)]
            assert answers[0] == answers[1]


def test_what_is_kept_is_not_read_again_and_does_not_pile_up(
    new_engine: NewEngine, made: list[Inputs]
) -> None:
    stood = Kept(new_engine, *git(_written(), "03-10"))
    stood.keep()
    stood.keep()
    assert len(made) == 1
    assert len(stood.versions()) == 1


@pytest.mark.parametrize(
    "later",
    [
        git(line_of("Add a (#1)", "Add b (#2)", "Add c (#3)"), "03-11", previous="x"),
        [opened(7, "03-11", title="Wait")],
        [merged(7, "Add b (#2)", "03-11", title="Late")],
    ],
    ids=["commits", "an opened request", "a merge"],
)
def test_what_is_recorded_later_is_another_history_and_k_still_has_its_own(
    new_engine: NewEngine, made: list[Inputs], later: Sequence[Arrival]
) -> None:
    before = Kept(new_engine, *git(_written(), "03-10"))
    before.keep()
    after = Kept(new_engine, *git(_written(), "03-10"), *later)
    after.keep()
    (then,), (now,) = before.versions(), after.versions()
    assert then != now
    del made[:]
    after.view()
    assert made == []
    past = after.view(known_at="03-10 12:00:00")
    assert [inputs.digest for inputs in made] == [then[0]]
    assert sorted(past.requests) == sorted(before.view().requests)


def test_what_bears_on_no_commit_is_carried_on_and_not_read_anew(
    new_engine: NewEngine, made: list[Inputs]
) -> None:
    """A repository that lives on by its webhooks is not read again at each of them."""
    clock = SetClock(at("03-09"))
    log, engine = MemoryLog(clock), new_engine()
    for when, record in git(_written(), "03-10"):
        clock.now = at(when)
        log.append([record])
    Kept.on(log, engine).keep()
    del made[:]
    for when, record in [
        opened(7, "03-11", title="Wait"),
        closed(7, "03-12"),
        opened(1, "03-13", title="Add a"),
    ]:
        clock.now = at(when)
        log.append([record])
        asked = Kept.on(log, engine).view()
        assert {7} <= asked.requests.keys()
    assert asked.requests[7].state == "closed"
    assert [inputs.known_until for inputs in made] == [at("03-13")]  # a commit names #1


def test_a_record_that_is_understood_at_a_second_try_makes_another_history(
    new_engine: NewEngine,
) -> None:
    """It is known since it was recorded, so the last moment of what is known stays the same."""
    late = merged(7, "Add b (#2)", "03-11", title="Late")
    arrivals = [*git(_written(), "03-10"), late, opened(8, "03-12", title="Wait")]
    clock = SetClock(at("03-09"))
    log = MemoryLog(clock)
    with refusing(late[1].id):
        for when, record in arrivals:
            clock.now = at(when)
            log.append([record])
        stood = Kept.on(log, new_engine())
    stood.keep()
    assert 7 not in stood.view().requests
    (result,) = {given.reason for given in retry(stood.engine, log, [late[1].id])}
    assert result is None
    assert stood.view().requests[7].merge_commit == sha_of("Add b (#2)")
    stood.keep()
    assert len(stood.versions()) == 2
    assert stood.view().requests[7].merge_commit == sha_of("Add b (#2)")


def test_of_a_repository_no_more_than_three_histories_are_kept(new_engine: NewEngine) -> None:
    clock = SetClock(at("03-09"))
    log = MemoryLog(clock)
    engine = new_engine()
    arrivals = [*git(_written(), "03-10")]
    arrivals += [opened(10 + day, f"03-{day}", title="Wait") for day in range(11, 16)]
    for when, record in arrivals:
        clock.now = at(when)
        log.append([record])
        Kept.on(log, engine).keep()
    stood = Kept.on(log, engine)
    moments = sorted(k for _, k in stood.versions())
    assert moments == [at(f"03-{day}") for day in (13, 14, 15)]


def test_the_keeper_reads_ahead_as_records_come(tmp_path: Path) -> None:
    clock = SetClock(at("03-09"))
    log, engine = MemoryLog(clock), writing_engine(tmp_path / "read_model.sqlite")
    generations.prepare(engine)
    stood = Kept.on(log, engine)
    stood.keeper.start()
    try:
        for when, record in git(_written(), "03-10"):
            clock.now = at(when)
            log.append([record])
        project(log, engine=stood.engine)
        deadline = time.monotonic() + 30
        while not stood.versions() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert stood.versions()
        assert stood.keeper.fault() is None
    finally:
        assert stood.keeper.stop()
