"""A second try of what was set aside: letter by letter, in any order, as often as one likes.

The log is one that stores a delivery again each time that it comes, as Kafka does.
"""

import random

import msgspec
import pytest
from sqlalchemy import Connection, Engine, func, select

from events.errors import LogUnavailable, NotFound
from events.facts.repository import CensusObserved
from events.instant import Instant
from events.log.memory import MemoryLog
from events.log.port import Appended, Cursor
from events.record import Entry, Record
from events.sources.authored import author
from projections.engine.rebuild import rebuild
from projections.engine.retry import Retried, retry
from projections.engine.runner import Runner
from projections.pull_requests.apply import PullRequests
from projections.repositories.apply import Repositories
from projections.store.base import Translated
from projections.store.schema import dead_letters, versions
from services.simulator import simulate
from tests.builders import REPO, at, close, pull_request, webhook
from tests.engines import NewEngine
from tests.refusing import refusing
from tests.worlds import SECOND, SetClock, memory_engine, project, record_of, rows

#: What becomes known of names by a late record is not what a rebuild finds: `Repositories.refold`.
BY_NAME = ("repo_name", "repo_sighting")


class RepeatingLog(MemoryLog):
    """Stores a record again each time that it comes."""

    def _append(self, record: Record, now: Instant) -> Appended:
        entry = self._store(record, now)
        return Appended(
            record_id=record.id, partition=REPO, position=entry.position, outcome="stored"
        )


class Bench:
    """A log that repeats, and a read model of it."""

    def __init__(self, engine: Engine) -> None:
        self.clock = SetClock(at("05-01"))
        self.log = RepeatingLog(self.clock)
        self.engine = engine

    def arrive(self, *records: Record) -> None:
        for record in records:
            self.clock.now += SECOND
            self.log.append([record])
        Runner(self.engine, self.log, self.clock).catch_up()

    def retry(self, *record_ids: str) -> list[Retried]:
        return retry(self.engine, self.log, record_ids)

    def letters(self) -> int:
        with self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(dead_letters)) or 0

    def equals_a_rebuild(self) -> None:
        model = project(self.log, engine=self.engine)
        assert rows(model) == rows(project(self.log, engine=memory_engine()))


@pytest.fixture
def bench(new_engine: NewEngine) -> Bench:
    return Bench(new_engine())


OPENED = pull_request("opened", 7, "opened", "05-01")
CLOSED = close("closed", 7, "05-02")


def test_a_delivery_that_was_stored_twice_and_set_aside_is_understood_once(bench: Bench) -> None:
    with refusing("closed"):
        bench.arrive(OPENED, CLOSED, CLOSED)
    results = bench.retry()
    assert {result.reason for result in results} == {None}
    assert {result.position for result in results} == {1, 2}
    assert bench.letters() == 0
    bench.equals_a_rebuild()
    assert bench.retry() == []


def test_a_delivery_whose_copy_was_understood_is_known_since_it_came_first(bench: Bench) -> None:
    with refusing("closed"):
        bench.arrive(OPENED, CLOSED)
    bench.arrive(CLOSED, pull_request("labeled", 7, "labeled", "05-01 08:00:00"))
    assert {result.reason for result in bench.retry("closed")} == {None}
    bench.equals_a_rebuild()


def test_one_letter_that_fails_takes_nothing_from_the_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refusing("opened", "closed", "other"):
        bench.arrive(OPENED, CLOSED, pull_request("other", 8, "opened", "05-03"))
    refold = PullRequests.refold

    def breaks(self: PullRequests, connection: Connection, entry: Translated) -> None:
        refold(self, connection, entry)
        if entry.record_id == "closed":
            connection.execute(versions.insert().from_select(["version"], select(versions)))

    monkeypatch.setattr(PullRequests, "refold", breaks)
    failed = [result for result in bench.retry() if result.reason is not None]
    assert [(result.projection, result.record_id) for result in failed] == [
        ("pull_requests", "closed")
    ]
    assert bench.letters() == 1
    monkeypatch.undo()
    assert [result.reason for result in bench.retry()] == [None]
    bench.equals_a_rebuild()


def test_a_letter_that_still_is_not_understood_stays_and_says_why(bench: Bench) -> None:
    with refusing("opened", "closed"):
        bench.arrive(OPENED, CLOSED, CLOSED)
    with refusing("closed"):
        reasons = {(result.record_id, result.reason) for result in bench.retry()}
    assert reasons == {("opened", None), ("closed", "not understood yet")}


def test_while_the_log_is_away_every_letter_is_told_and_none_is_lost(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refusing("opened", "closed"):
        bench.arrive(OPENED, CLOSED)
    read = bench.log.read

    def away(partition: str, cursor: Cursor, **bounds: int) -> list[Entry]:
        if cursor.position == 1:
            raise LogUnavailable("the broker is away")
        return read(partition, cursor, **bounds)

    monkeypatch.setattr(bench.log, "read", away)
    first, second, *later = bench.retry()
    assert (first.reason, second.reason) == (None, "the broker is away")
    assert {result.reason for result in later} == {"not tried: the broker is away"}
    monkeypatch.undo()
    assert {result.reason for result in bench.retry()} == {None}
    bench.equals_a_rebuild()


def test_a_name_that_is_not_among_the_letters_is_told_before_anything_is_tried(
    bench: Bench,
) -> None:
    with refusing("opened"):
        bench.arrive(OPENED)
    before = bench.letters()
    with pytest.raises(NotFound, match="elsewhere"):
        bench.retry("opened", "elsewhere")
    assert bench.letters() == before


def test_a_letter_behind_the_end_of_a_log_that_was_cut_is_told(bench: Bench) -> None:
    with refusing("closed"):
        bench.arrive(OPENED, CLOSED)
    cut = RepeatingLog(bench.clock)
    cut.append([OPENED])
    reasons = {result.reason for result in retry(bench.engine, cut)}
    assert len(reasons) == 1
    assert "ends before position 1" in str(reasons)


def test_a_census_that_is_understood_late_changes_what_was_open_then(bench: Bench) -> None:
    listing = author(
        REPO,
        CensusObserved(
            at=at("05-01 12:00:00"),
            listed_from="api",
            highest_number=9,
            open_numbers=(8,),
            complete=True,
        ),
        time=at("05-01 12:00:00"),
        record_id="census",
    )
    with refusing("census"):
        bench.arrive(OPENED, pull_request("eight", 8, "opened", "05-01"), listing, listing)
    bench.arrive(close("closed", 7, "05-01 06:00:00"), close("later", 8, "05-03"), listing)
    assert {result.reason for result in bench.retry()} == {None}
    bench.equals_a_rebuild()


def test_a_name_that_is_understood_late_leaves_one_name_at_each_moment() -> None:
    def named(k: int, name: str, shown: int) -> Record:
        moment = f"2026-05-{shown:02}T00:00:00Z"
        repository = {"id": 1001, "full_name": name, "updated_at": moment, "default_branch": "main"}
        return webhook(f"n{k}", "repository", {"action": "renamed", "repository": repository})

    bench = Bench(memory_engine())
    with refusing("n2"):
        bench.arrive(named(1, "acme/a", 1), named(2, "acme/c", 20), named(3, "acme/b", 5))
    bench.retry()
    table = Repositories(1).tables.names
    with bench.engine.connect() as connection:
        spans = [
            (row.full_name, row.kf < row.kt)
            for row in connection.execute(select(table).order_by(table.c.kf))
        ]
    assert spans == [("acme/a", True), ("acme/c", True)]
    bench.equals_a_rebuild()


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 7))]
)
def test_any_letters_of_any_world_end_as_a_rebuild(seed: int) -> None:
    """Half of what was set aside came once more, some of it after the program was mended."""
    chosen = random.Random(seed)
    records = [record_of(delivery) for delivery in simulate(seed, pulls=12, days=45).deliveries]
    late = chosen.sample(records, 25)
    bench = Bench(memory_engine())
    with refusing(*(record.id for record in late)):
        bench.arrive(*records, *late[:8])
    bench.arrive(*late[4:15], *chosen.sample(records, 10))
    tried = [record.id for record in late]
    chosen.shuffle(tried)
    for record_id in tried:
        assert {result.reason for result in bench.retry(record_id)} == {None}
    model = project(bench.log, engine=bench.engine)
    expected = rows(project(bench.log))
    found = rows(model)
    for table in found.keys() - set(BY_NAME):
        assert found[table] == expected[table], table


def test_a_copy_that_only_the_new_rules_set_aside_is_named_by_a_rebuild(bench: Bench) -> None:
    with refusing("closed"):
        bench.arrive(OPENED, CLOSED)
    bench.arrive(CLOSED)
    with refusing("closed"):
        result = rebuild(bench.engine, bench.log, "pull_requests", bench.clock)
    assert (result.switched, result.new_dead_letters) == (False, ("closed",))


def test_what_a_result_says_can_be_printed(bench: Bench) -> None:
    with refusing("closed"):
        bench.arrive(CLOSED)
    (shown, *_) = msgspec.json.decode(msgspec.json.encode(bench.retry()))
    assert shown["partition"] == REPO
    assert shown["position"] == 0
