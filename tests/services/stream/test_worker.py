"""Workers as processes, on the real Kafka and the real PostgreSQL: S01, S02, S03, S09 and more.

Times are shortened; what is waited for is bounded each time.
"""

import time

import pytest
from sqlalchemy import select

from events.record import Record
from projections.engine.generations import active
from projections.engine.rebuild import rebuild
from projections.pull_requests.queries import states_of
from projections.pull_requests.tables import PullRequestTables
from projections.store.checkpoint import lock_cursor
from projections.store.schema import checkpoints
from services.logs.kafka import KafkaLog
from services.runtime.clock import wall_clock
from services.stream.worker import START_AGAIN
from tests.builders import REPO, pull_request
from tests.production import Site, wait_until
from tests.services.stream.conftest import NewSite, StartWorker
from tests.services.stream.groups import committed, cut_off_before, forget_group

PULL_REQUESTS = "pull_requests"


def opened(count: int, *, first: int = 1, repo: str = REPO) -> list[Record]:
    """Return deliveries of as many openings."""
    numbers = range(first, first + count)
    return [pull_request(f"D{n}", n, "opened", "03-01", repo=repo) for n in numbers]


def numbers(site: Site, repo: str = REPO) -> list[int]:
    """Return the numbers that are open, each as often as it is counted."""
    with site.read_model().snapshot() as snapshot:
        states = snapshot.tables(PullRequestTables).states
        query = select(states.c.number).where(states.c.repo == repo, states.c.state == "open")
        return sorted(snapshot.connection.scalars(query))


def test_s01_nothing_behind_an_unfinished_record_is_committed(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    log.append(opened(100))
    first = start_worker(site, "first", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 100, 30)
    wait_until(lambda: committed(site) == {0: 100}, 10)
    engine = site.engine()
    with engine.begin() as connection:
        lock_cursor(connection, active(connection)[0], "0")  # 100 cannot be finished
        log.append(opened(6, first=101))
        time.sleep(3)  # more than two commit intervals
        assert committed(site) == {0: 100}
        first.kill()
    start_worker(site, "second", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 106, 30)
    assert numbers(site) == list(range(1, 107))


def test_s02_totals_do_not_change_while_workers_join_and_leave(
    new_site: NewSite, start_worker: StartWorker
) -> None:
    site = new_site(partitions=2)
    log = KafkaLog(site.kafka)
    repos = [site.repository_in(partition) for partition in (0, 1)]

    def deliver(rounds: range) -> None:
        for each in rounds:
            for repo in repos:
                log.append(opened(25, first=1 + 25 * each, repo=repo))
            time.sleep(0.5)

    first = start_worker(site, "first", only=PULL_REQUESTS)
    deliver(range(4))
    second = start_worker(site, "second", only=PULL_REQUESTS)
    deliver(range(4, 9))
    wait_until(lambda: second.metric("worker_partitions") == 1, 20)
    lagging = [line for line in first.get("/metrics")[1].splitlines() if "lag_records{" in line]
    assert len(lagging) == 1, "of the other partition the other worker speaks"
    assert second.stop() == 0
    deliver(range(9, 12))
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 600, 40)
    for repo in repos:
        assert numbers(site, repo) == list(range(1, 301))
    wait_until(lambda: committed(site) == {0: 300, 1: 300}, 15)
    wait_until(lambda: first.metric("worker_partitions") == 2, 15)
    assert first.stop() == 0
    log.close()


@pytest.mark.slow
def test_s03_a_database_that_hangs_turns_readiness_red_and_nothing_is_lost(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    config = site.folder / "shipledger.toml"
    config.write_text(config.read_text() + "[readiness]\nlag_seconds = 3.0\n")
    worker = start_worker(site, only=PULL_REQUESTS)
    log.append(opened(10))
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 10, 30)
    wait_until(lambda: worker.ready, 10)
    with site.engine().begin() as connection:
        connection.exec_driver_sql("LOCK TABLE checkpoint IN ACCESS EXCLUSIVE MODE")
        log.append(opened(10, first=11))
        wait_until(lambda: worker.get("/readyz")[0] == 503, 10)
        assert worker.metric("ready ") == 0
        time.sleep(5)
        assert worker.metric("projection_lag_seconds") > 4
        assert worker.get("/healthz")[0] == 200
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 20, 30)
    wait_until(lambda: worker.ready, 20)
    assert numbers(site) == list(range(1, 21))


@pytest.mark.slow
def test_s03_spare_workers_idle_and_one_takes_over(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    workers = [start_worker(site, f"worker{n}", only=PULL_REQUESTS) for n in range(3)]
    log.append(opened(10))
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 10, 40)
    wait_until(lambda: sum(each.metric("worker_partitions") for each in workers) == 1, 20)
    wait_until(lambda: all(each.ready for each in workers), 20)
    next(each for each in workers if each.metric("worker_partitions") == 1).kill()
    log.append(opened(10, first=11))
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 20, 40)
    assert numbers(site) == list(range(1, 21))


def test_s09_the_start_position_comes_from_the_database(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    log.append(opened(15))
    first = start_worker(site, "first", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 15, 30)
    assert first.stop() == 0
    forget_group(site)
    log.append(opened(5, first=16))
    second = start_worker(site, "second", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 20, 30)
    assert second.metric("projected_records_total") == 5
    assert second.metric("worker_redelivered_records_total") == 0
    assert numbers(site) == list(range(1, 21))


def test_s09_records_that_are_gone_stop_the_worker_and_are_named(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    log.append(opened(15))
    first = start_worker(site, "first", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 15, 30)
    first.kill()
    log.append(opened(10, first=16))
    cut_off_before(site, 20)
    second = start_worker(site, "second", only=PULL_REQUESTS)
    assert second.child.wait(40) == 1
    assert "the log begins at 20, and records from 15 on were not projected" in second.log
    assert "rebuild the projection and accept the gap" in second.log
    assert site.applied() == {PULL_REQUESTS: 15}
    assert numbers(site) == list(range(1, 16))


@pytest.mark.slow
def test_a_rebuild_is_followed_by_starting_again(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    log.append(opened(10))
    first = start_worker(site, "first")
    wait_until(lambda: site.has_applied(10), 30)
    engine = site.engine()
    assert rebuild(engine, log, PULL_REQUESTS, wall_clock).switched
    assert first.child.wait(15) == START_AGAIN
    start_worker(site, "second")
    log.append(opened(10, first=11))
    wait_until(lambda: site.has_applied(20), 30)
    assert numbers(site) == list(range(1, 21))
    with engine.connect() as connection:
        fed = connection.scalars(
            select(checkpoints.c.generation).where(checkpoints.c.projection == PULL_REQUESTS)
        ).all()
    assert fed == [2]


def test_a_database_restored_from_an_older_backup_is_filled_from_the_log(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    """The checkpoint goes back with the rows; a worker that did not notice stops at the hole."""
    log.append(opened(10))
    first = start_worker(site, "first", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 10, 30)
    engine = site.engine()
    with engine.begin() as connection:
        (projection, *_) = active(connection)
        for table in reversed(projection.metadata.sorted_tables):
            connection.execute(table.delete())
        connection.execute(
            checkpoints.update()
            .where(checkpoints.c.projection == PULL_REQUESTS)
            .values(next_position=0, last_recorded=0)
        )
    log.append(opened(5, first=11))
    assert first.child.wait(20) == 1
    assert "the next record is 0, and 10 came" in first.log
    start_worker(site, "second", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 15, 30)
    assert numbers(site) == list(range(1, 16))


def test_the_end_of_the_log_is_told_by_all_partitions_and_projections(
    new_site: NewSite, start_worker: StartWorker
) -> None:
    site = new_site(partitions=4)
    log = KafkaLog(site.kafka)
    log.append(opened(5))
    model = site.read_model()

    def caught_up_at() -> int:
        with model.snapshot() as snapshot:
            return snapshot.watermark(REPO).caught_up_at

    start_worker(site, "one", only=PULL_REQUESTS)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 5, 30)
    time.sleep(2)
    assert caught_up_at() == 0, "the other projections have not begun"
    start_worker(site, "all")
    wait_until(lambda: site.has_applied(5), 30)
    wait_until(lambda: caught_up_at() > 0, 10)
    before = wall_clock()
    wait_until(lambda: caught_up_at() > before, 10)
    with model.snapshot() as snapshot:
        assert [span.enter for span in states_of(snapshot, REPO, 1, before)] == ["opened"]
    log.close()
