"""`shipledger ingest` as users run it, in front of the real broker: W02, W10, W14 and kill -9."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from deploy.local.kafka_part import KafkaPart
from events.log.port import START
from events.record import Record
from services.logs.kafka import KafkaLog
from services.logs.walk import entries
from tests.production import Process, Site, wait_until
from tests.service_process import SECRET
from tests.services.intake.webhooks.gateway import payload, request

BODY = payload("pull_request__closed_merged")
MIB = 1024 * 1024


@pytest.fixture
def site(kafka_bootstrap: str, tmp_path: Path) -> Site:
    """A topic; there is no database."""
    return Site.new(kafka_bootstrap, "", tmp_path)


@pytest.fixture
def start_ingest(site: Site) -> Iterator[Callable[[], Process]]:
    """Start ingestion, also again on the same folder."""
    started: list[Process] = []

    def start() -> Process:
        command = ["-m", "services.cli.main", "ingest", "--port", "0"]
        started.append(Process(command, site.environment(), site.folder / "ingest.log"))
        return started[-1]

    yield start
    for process in started:
        if process.running:
            process.kill()


def post(process: Process, delivery: str, body: bytes = BODY) -> httpx.Response:
    """Send one delivery."""
    content, headers = request(body, delivery=delivery, secret=SECRET)
    assert isinstance(content, bytes)
    url = f"{process.address}/webhooks/github"
    return httpx.post(url, content=content, headers=headers, timeout=10)


def in_kafka(site: Site) -> list[Record]:
    """Return all deliveries in the topic, repetitions included."""
    log = KafkaLog(site.kafka)
    found = [entry.record for partition in log.ends() for entry in entries(log, partition, START)]
    log.close()
    return [record for record in found if record.source == "webhook"]


def forwarded(process: Process) -> bool:
    return process.metric("forward_waiting_records ") == 0


def test_a_delivery_is_in_kafka_as_it_was_received(
    site: Site, start_ingest: Callable[[], Process]
) -> None:
    process = start_ingest()
    replies = [post(process, f"D{n}") for n in range(20)]
    assert {each.status_code for each in replies} == {202}
    wait_until(lambda: forwarded(process), 20)
    records = in_kafka(site)
    assert [each.id for each in records] == [f"D{n}" for n in range(20)]
    assert {each.body for each in records} == {BODY}
    assert all("receivedat" in each.attributes for each in records)
    assert process.ready
    assert process.stop() == 0


def test_w10_large_bodies_are_whole_in_kafka_or_refused(
    site: Site, start_ingest: Callable[[], Process]
) -> None:
    process = start_ingest()
    sizes = {"D1": 9 * MIB // 10, "D2": 11 * MIB // 10, "D3": 3 * MIB, "D4": 24 * MIB}
    bodies = {
        name: payload("pull_request__closed_merged", pull_request__body="x" * size)
        for name, size in sizes.items()
    }
    for name, body in bodies.items():
        assert post(process, name, body).status_code == 202
    too_large = payload("pull_request__closed_merged", pull_request__body="x" * 30 * MIB)
    assert post(process, "D5", too_large).status_code == 413
    wait_until(lambda: forwarded(process), 60)
    assert {each.id: each.body for each in in_kafka(site) if each.id in bodies} == bodies
    assert process.stop() == 0


@pytest.mark.slow
def test_w14_with_a_broker_that_hangs_each_delivery_is_durable_or_refused_in_time(
    site: Site, start_ingest: Callable[[], Process], kafka_part: KafkaPart
) -> None:
    config = site.folder / "shipledger.toml"
    config.write_text(config.read_text() + "[queue]\nrecords = 120\n")
    process = start_ingest()
    assert post(process, "first").status_code == 202
    wait_until(lambda: forwarded(process), 20)
    kafka_part.pause()
    try:
        answers, slowest = {}, 0.0
        for n in range(200):
            started = time.monotonic()
            answers[f"D{n}"] = post(process, f"D{n}").status_code
            slowest = max(slowest, time.monotonic() - started)
            time.sleep(0.02)
        assert slowest < 5
        assert set(answers.values()) == {202, 503}
        assert process.get("/readyz")[0] == 503
        assert process.metric("forward_waiting_records ") >= 120
        wait_until(lambda: process.metric("forward_waiting_seconds") > 3, 10)
        wait_until(lambda: process.metric("forward_failures_total") > 0, 30)
    finally:
        kafka_part.resume()
    wait_until(lambda: forwarded(process), 60)
    refused = [name for name, status in answers.items() if status == 503]
    assert {post(process, name).status_code for name in refused} == {202}
    wait_until(lambda: forwarded(process), 30)
    ids = list(dict.fromkeys(each.id for each in in_kafka(site)))
    assert ids == ["first", *(name for name in answers if name not in refused), *refused]
    assert process.stop() == 0


def test_w02_what_was_refused_is_stored_when_it_comes_again_and_then_known(
    site: Site, start_ingest: Callable[[], Process], kafka_part: KafkaPart
) -> None:
    config = site.folder / "shipledger.toml"
    config.write_text(config.read_text() + "[queue]\nrecords = 1\n")
    process = start_ingest()
    wait_until(lambda: forwarded(process), 20)
    kafka_part.pause()
    try:
        assert post(process, "D1").status_code == 202
        wait_until(lambda: not process.ready, 10)
        refused = post(process, "D2")
        assert (refused.status_code, refused.json()["error"]) == (503, "queue_full")
    finally:
        kafka_part.resume()
    wait_until(lambda: process.ready, 60)
    outcomes = [post(process, "D2").json()["outcome"] for _ in range(2)]
    assert outcomes == ["stored", "duplicate"]
    wait_until(lambda: forwarded(process), 20)
    assert sorted({each.id for each in in_kafka(site)}) == ["D1", "D2"]
    assert process.stop() == 0


def test_deliveries_outlive_the_process_and_an_absent_broker(
    site: Site, start_ingest: Callable[[], Process], kafka_part: KafkaPart
) -> None:
    kafka_part.stop()
    try:
        first = start_ingest()
        accepted = [f"D{n}" for n in range(50)]
        assert {post(first, name).status_code for name in accepted} == {202}
        assert first.ready, "it takes deliveries all the same"
        first.kill()
        second = start_ingest()
        assert post(second, "D49").json()["outcome"] == "duplicate"
        assert post(second, "D50").status_code == 202
    finally:
        kafka_part.start()
    wait_until(lambda: forwarded(second), 60)
    second.kill()
    third = start_ingest()
    assert post(third, "D51").status_code == 202
    wait_until(lambda: forwarded(third), 30)
    ids = [each.id for each in in_kafka(site)]
    assert list(dict.fromkeys(ids)) == [*accepted, "D50", "D51"]
    assert third.stop() == 0
