"""S04 on the real parts: poison is set aside and named, a passing fault is waited for, in order."""

from kafka import KafkaProducer

from deploy.local.postgres_part import PostgresPart
from projections.engine import generations
from projections.engine.rebuild import rebuild
from projections.engine.retry import retry
from projections.engine.runner import Runner
from projections.pull_requests.tables import PullRequestTables
from services.logs.kafka import KafkaLog
from services.runtime.clock import wall_clock
from tests.builders import REPO, close, pull_request, webhook
from tests.production import Site, wait_until
from tests.refusing import refusing
from tests.services.stream.conftest import StartWorker

PULL_REQUESTS = "pull_requests"


def append_tombstone(site: Site) -> None:
    """Append a message with our key and no value, as another program might."""
    producer = KafkaProducer(**site.kafka.producer_options(10))
    producer.send(site.topic, key=REPO.encode(), value=None, partition=0).get(10)
    producer.close()


def test_s04_poison_is_set_aside_and_a_passing_fault_is_waited_for(
    site: Site, log: KafkaLog, start_worker: StartWorker, postgres_part: PostgresPart
) -> None:
    worker = start_worker(site, only=PULL_REQUESTS)
    no_number = {"action": "opened", "pull_request": {"title": "x"}, "repository": {"id": 1001}}
    log.append(
        [
            webhook("D0", "pull_request", b"\xff\xfe is no text"),
            webhook("D1", "pull_request", no_number),
        ]
    )
    append_tombstone(site)
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 3, 30)

    postgres_part.stop()
    log.append([pull_request("D3", 7, "opened", "03-01")])
    wait_until(lambda: worker.get("/readyz")[0] == 503, 20)
    assert worker.running
    log.append(
        [
            pull_request("D4", 7, "closed", "03-02", state="closed", closed_at="03-02"),
            webhook("D5", "pull_request", b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
        ]
    )
    postgres_part.start()
    wait_until(lambda: site.applied().get(PULL_REQUESTS) == 6, 40)
    wait_until(lambda: worker.ready, 20)
    assert worker.metric("worker_retries_total") > 0

    assert [position for position, _ in site.letters()] == [0, 1, 5]
    reasons = dict(site.letters())
    assert "UTF-8" in reasons[0] or "utf-8" in reasons[0]
    assert all(reasons.values())
    with site.read_model().snapshot() as snapshot:
        states = snapshot.tables(PullRequestTables).states
        rows = snapshot.connection.execute(
            states.select().where(states.c.number == 7).order_by(states.c.kf, states.c.vf)
        ).all()
    known = sorted({row.kf for row in rows})
    assert [row.enter for row in rows if row.kf == known[0]] == ["opened"]
    assert "closed" in {row.enter for row in rows if row.kf == known[-1]}, "203 before 204"
    assert worker.stop() == 0


def test_a_delivery_that_kafka_holds_twice_is_understood_once_when_it_is_retried(
    site: Site, log: KafkaLog
) -> None:
    opened = pull_request("D0", 7, "opened", "03-01")
    closed = close("D1", 7, "03-02")
    log.append([opened, closed, closed])
    engine = site.engine()
    generations.prepare(engine)
    with refusing("D1"):
        Runner(engine, log, wall_clock).catch_up()
    assert [position for position, _ in site.letters()] == [1, 2]
    results = retry(engine, log)
    assert {(result.position, result.reason) for result in results} == {(1, None), (2, None)}
    assert site.letters() == []
    result = rebuild(engine, log, PULL_REQUESTS, wall_clock)
    assert (result.switched, result.differing) == (True, 0)
    assert retry(engine, log) == []
