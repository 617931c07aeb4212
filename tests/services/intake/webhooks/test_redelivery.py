"""The same delivery again: W01, and what the log keeps of a second body."""

from collections.abc import Callable
from pathlib import Path

import pytest

from events.log.memory import MemoryLog
from events.log.port import Log
from events.record import FORM
from services.logs.sqlite import SqliteLog
from tests.services.intake.webhooks.gateway import Gateway, SteppingClock, payload

MERGED = payload("pull_request__closed_merged")


def test_a_delivery_that_comes_again_after_a_restart_and_a_day_is_kept_once(
    tmp_path: Path,
) -> None:
    """W01. The id alone is the key, and what has been seen is what is in the log."""
    clock = SteppingClock("2026-03-07T10:00:00Z")
    path = tmp_path / "log.sqlite"
    log = SqliteLog(path, clock=clock)
    with Gateway(log, clock=clock) as gateway:
        first = gateway.post(MERGED, delivery="D1")
        clock.advance(30)
        second = gateway.post(MERGED, delivery="D1")
        assert gateway.metric("deliveries_total", event="pull_request", outcome="duplicate") == 1
    log.close()

    clock.advance(24 * 3600)
    log = SqliteLog(path, clock=clock)
    with Gateway(log, clock=clock) as gateway:
        third = gateway.post(MERGED, delivery="D1")
        assert gateway.metric("deliveries_total", event="pull_request", outcome="duplicate") == 1
        assert [record.body for record in gateway.records()] == [MERGED]
    log.close()

    assert [first.status_code, second.status_code, third.status_code] == [202, 200, 200]
    assert third.json() == {
        "outcome": "duplicate",
        "delivery": "D1",
        "partition": "github.com/1001",
        "position": 0,
    }


@pytest.fixture(params=["memory", "sqlite"])
def make_log(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[SteppingClock], Log]:
    def make(clock: SteppingClock) -> Log:
        if request.param == "memory":
            return MemoryLog(clock)
        return SqliteLog(tmp_path / "log.sqlite", clock=clock)

    return make


def test_another_body_under_the_same_id_is_kept_beside_the_first(
    make_log: Callable[[SteppingClock], Log],
) -> None:
    """Two hooks, or two Apps, share the id of one event, and their bodies may differ."""
    clock = SteppingClock()
    log = make_log(clock)
    other = payload("pull_request__closed_merged", installation={"id": 5})
    with Gateway(log, clock=clock) as gateway:
        answers = [gateway.post(body, delivery="D1") for body in (MERGED, other, other)]
        assert [reply.json()["outcome"] for reply in answers] == ["stored", "conflict", "duplicate"]
        assert [reply.status_code for reply in answers] == [202, 200, 200]
        assert gateway.metric("deliveries_total", event="pull_request", outcome="conflict") == 1
        assert [record.body for record in gateway.records()] == [MERGED, other]
    log.close()


def test_a_record_holds_the_delivery_as_received() -> None:
    with Gateway() as gateway:
        gateway.post(MERGED, delivery="5d0b3c1e-0000-4000-8000-000000000001")
        (record,) = gateway.records("github.com/1001")
    assert record.id == "5d0b3c1e-0000-4000-8000-000000000001"
    assert record.type == "com.github.pull_request.closed"
    assert record.source == "webhook"
    assert record.body == MERGED
    assert record.attributes == {
        "event": "pull_request",
        "hookid": "321",
        "targettype": "repository",
        "targetid": "1001",
        "receivedat": "2026-03-07T10:00:01Z",
    }


def test_the_content_type_is_kept_as_received() -> None:
    with Gateway() as gateway:
        gateway.post(b"payload=%7B%7D", content_type=f"{FORM}; charset=UTF-8")
        (record,) = gateway.records("github.com")
    assert record.content_type == f"{FORM}; charset=UTF-8"
