"""Production as a whole, with real parts, while everything in it fails in turn.

Simulated deliveries of several repositories over HTTP → ingestion → Kafka → two workers →
PostgreSQL. Nothing is lost, nothing is counted twice, the lag goes back to zero, and the log,
exported and read into the embedded mode, gives the same reports byte for byte.
"""

import itertools
import os
import random
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import func, select

from deploy.local.kafka_part import KafkaPart
from deploy.local.part import free_port
from deploy.local.postgres_part import PostgresPart
from events.identity import RepositoryKey, repository_key
from events.instant import parse_instant
from events.log.port import START
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.pull_requests.tables import PullRequestTables
from projections.store.snapshot import Snapshot
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.documents.forms import MEDIA_TYPES
from services.logs.exchange import export_log, import_log
from services.logs.kafka import KafkaLog
from services.logs.sqlite import SqliteLog
from services.logs.walk import entries
from services.simulator import World, simulate
from services.simulator.counts import counts
from services.stream.engines import reading_engine, writing_engine
from tests.answers import report_text
from tests.e2e.chaos import Machines, senders_of
from tests.production import Process, Site, Supervised, wait_until
from tests.services.stream.groups import committed
from tests.worlds import SetClock

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(900)]

BEGINS: Final = parse_instant("2025-01-01T00:00:00Z")
DELIVERIES: Final = 10_000
MONTHS: Final = [date(2025, month, 1) for month in range(1, 7)]
PERIODS: Final = [
    *((a.isoformat(), b.isoformat(), "UTC") for a, b in itertools.pairwise(MONTHS)),
    ("2025-02-01", "2025-03-01", "Asia/Shanghai"),
    ("2025-01-01", "2025-06-01", "America/Los_Angeles"),
]
INGEST: Final = ("-m", "services.cli.main", "ingest", "--port")
WORKER: Final = ("-m", "services.cli.main", "worker", "--port", "0")


def made_worlds() -> list[World]:
    """Return repositories until their deliveries are enough."""
    found: list[World] = []
    while sum(len(world.deliveries) for world in found) < DELIVERIES:
        nth = len(found)
        found.append(
            simulate(
                nth + 1,
                pulls=170,
                start=BEGINS,
                full_name=f"acme/widget{nth}",
                repository_id=1001 + nth,
            )
        )
    return found


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    """Six repositories or so."""
    return made_worlds()


@pytest.fixture
def site(kafka_bootstrap: str, postgres_url: str, tmp_path: Path) -> Site:
    """Eight partitions, as by default."""
    return Site.new(kafka_bootstrap, postgres_url, tmp_path, partitions=8)


@pytest.fixture
def machines(site: Site, kafka_part: KafkaPart, postgres_part: PostgresPart) -> Iterator[Machines]:
    """Ingestion and two workers, each started again whenever it ends."""
    KafkaLog(site.kafka).prepare()
    given, started = site.environment(), []

    def start_worker(name: str) -> Process:
        started.append(Process(WORKER, given, site.folder / f"{name}.log"))
        return started[-1]

    ingest = Supervised([*INGEST, str(free_port())], given, site.folder / "ingest.log")
    workers = [Supervised(WORKER, given, site.folder / f"worker{n}.log") for n in (1, 2)]
    yield Machines(
        site=site,
        ingest=ingest,
        workers=workers,
        kafka=kafka_part,
        postgres=postgres_part,
        start_worker=start_worker,
    )
    kafka_part.start()
    postgres_part.start()
    for each in (ingest, *workers):
        each.stop()
    for process in started:
        if process.running:
            process.kill()


def test_nothing_is_lost_and_nothing_is_counted_twice(
    machines: Machines, worlds: list[World], tmp_path: Path
) -> None:
    seed = int(os.environ.get("SHIPLEDGER_TEST_SEED") or time.time())
    print(f"SHIPLEDGER_TEST_SEED={seed}")
    site, source = machines.site, random.Random(seed)
    senders = senders_of(f"{machines.ingest.process.address}/webhooks/github", worlds)
    for sender in senders:
        sender.start()
    machines.disturb(source)
    wait_until(lambda: not any(sender.is_alive() for sender in senders), 300)
    told = "; ".join(machines.done)
    assert [each.accepted for each in senders] == [len(world.deliveries) for world in worlds], told

    wait_until(lambda: machines.ingest.process.metric("forward_waiting_records ") == 0, 60)
    log = KafkaLog(site.kafka)
    total = sum(log.ends().values())
    wait_until(lambda: site.has_applied(total), 180)
    wait_until(lambda: all(each.process.ready for each in machines.workers), 60)
    see_that_the_lag_is_zero(machines, log)
    repeated = see_that_the_log_is_whole(log, worlds, site)
    see_that_reports_equal_the_truth(site, worlds)
    for each in machines.workers:
        assert each.stop() == 0
    see_that_the_embedded_mode_says_the_same(site, log, worlds, tmp_path)
    log.close()
    print(
        f"{total} records, {repeated} of them repetitions; {sum(s.refused for s in senders)} "
        f"refused; exits of workers {[each.exits for each in machines.workers]}; {told}"
    )


def see_that_the_lag_is_zero(machines: Machines, log: KafkaLog) -> None:
    """By our own metrics, and by what Kafka's tools see of the groups."""
    site = machines.site
    for each in machines.workers:
        assert each.process.metric("projection_lag_records") == 0
    ends = {int(name): end for name, end in log.ends().items()}
    with site.engine().connect() as connection:
        names = [one.name for one in generations.active(connection)]

    def told_to_kafka() -> bool:
        return all(committed(site, name) == ends for name in names)

    wait_until(told_to_kafka, 90)  # a worker that was killed joins its group anew first


def see_that_the_log_is_whole(log: KafkaLog, worlds: list[World], site: Site) -> int:
    """Every delivery is there, first in its repository's order; return how many came again."""
    found: dict[RepositoryKey, list[str]] = {}
    for partition in log.ends():
        for entry in entries(log, partition, START):
            if entry.record.source == "webhook":
                found.setdefault(entry.record.repository, []).append(entry.record.id)
    for world in worlds:
        ids = list(dict.fromkeys(found[key_of(world)]))
        assert ids == [each.delivery_id for each in world.deliveries]
    with site.read_model().snapshot() as snapshot:
        obs = snapshot.tables(PullRequestTables).observations
        seen = select(func.count(), func.count(func.distinct(obs.c.record_id + obs.c.repo)))
        rows, records = snapshot.connection.execute(seen.where(obs.c.idx == 0)).one()
        assert rows == records
    assert site.letters() == []
    return sum(map(len, found.values())) - sum(len(world.deliveries) for world in worlds)


def see_that_reports_equal_the_truth(site: Site, worlds: list[World]) -> None:
    """Of every repository in every period."""
    with site.read_model().snapshot() as snapshot:
        for world in worlds:
            for asked in PERIODS:
                report = assemble(snapshot, question(world, asked))
                start, end = report.period.start, report.period.end
                assert report.end == end
                assert report.counts == counts(world.truth.pulls, start, end), (world, asked)
                assert set(report.quality.values()) == {"exact"}


def see_that_the_embedded_mode_says_the_same(
    site: Site, log: KafkaLog, worlds: list[World], folder: Path
) -> None:
    """Byte for byte, in every format, now and as known at earlier moments."""
    export_log(log, folder / "log.jsonl.gz")
    embedded = SqliteLog(folder / "log.sqlite", clock=lambda: 0)
    assert import_log(embedded, folder / "log.jsonl.gz").kept_stamps
    writing = writing_engine(folder / "read_model.sqlite")
    generations.prepare(writing)
    model = ReadModel(reading_engine(folder / "read_model.sqlite"))
    with site.read_model().snapshot() as there:
        marks = {key_of(world): there.watermark(key_of(world)) for world in worlds}
        # the moment at which a reader stood at the end is its own; here it is made the same
        for world in sorted(worlds, key=lambda each: marks[key_of(each)].caught_up_at):
            moment = marks[key_of(world)].caught_up_at
            Runner(writing, embedded, SetClock(moment)).catch_up()
            with model.snapshot() as here:
                compare(there, here, world)
    model.engine.dispose()
    writing.dispose()
    embedded.close()


def compare(there: Snapshot, here: Snapshot, world: World) -> None:
    last = here.watermark(key_of(world)).last_recorded
    first = there.connection.scalar(
        select(func.min(there.tables(PullRequestTables).observations.c.k)).where(
            there.tables(PullRequestTables).observations.c.repo == key_of(world)
        )
    )
    for known_at in (last, (first + last) // 2):
        for asked in PERIODS:
            for form in MEDIA_TYPES:
                texts = [
                    report_text(assemble(snapshot, question(world, asked, known_at)), form)
                    for snapshot in (there, here)
                ]
                assert texts[0] == texts[1]


def key_of(world: World) -> RepositoryKey:
    return repository_key(world.truth.host, world.truth.repository_id)


def question(
    world: World, asked: tuple[str, str, str], known_at: int | None = None
) -> ReportQuestion:
    return ReportQuestion(full_name=world.truth.full_name, period=period(*asked), known_at=known_at)
