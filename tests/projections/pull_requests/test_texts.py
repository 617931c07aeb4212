"""Texts: stored once, read as they stood at (T, K)."""

import json

from sqlalchemy import select

from events.log.memory import MemoryLog
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.pull_requests.tables import PullRequestTables
from projections.pull_requests.texts import texts_of
from tests.builders import REPO, at, pull_request, webhook
from tests.worlds import SetClock, log_of, project


def model_of(*records: Record) -> tuple[ReadModel, MemoryLog]:
    log = log_of(records, lambda index: at("03-10") + index, SetClock())
    return project(log), log


def read(model: ReadModel, when: str, *, known_at: int | None = None) -> tuple[str, str] | None:
    with model.snapshot() as snapshot:
        k = snapshot.watermark(REPO).last_recorded if known_at is None else known_at
        found = texts_of(snapshot, REPO, [7], at(when), k).get(7)
    return None if found is None else (found.text, found.record_id)


def test_a_text_is_read_as_it_stood() -> None:
    model, _ = model_of(
        pull_request("a", 7, "opened", "03-01", body="Draft."),
        pull_request("b", 7, "labeled", "03-02", body="Draft."),
        pull_request("c", 7, "edited", "03-03", body="Final: 3 ms."),
        pull_request("d", 7, "edited", "03-04", body=None),
    )
    assert read(model, "03-02") == ("Draft.", "b")
    assert read(model, "03-03") == ("Final: 3 ms.", "c")
    assert read(model, "03-04") == ("", "d")
    assert read(model, "03-04", known_at=at("03-10")) == ("Draft.", "a")


def test_a_payload_without_a_text_shows_none() -> None:
    model, _ = model_of(
        pull_request("a", 7, "opened", "03-01", body="Why."),
        pull_request("b", 7, "labeled", "03-02"),
    )
    assert read(model, "03-02") == ("Why.", "a")
    model, _ = model_of(pull_request("a", 7, "opened", "03-01"))
    assert read(model, "03-02") is None


def edited(delivery: str, when: str, text: str, before: str | None) -> Record:
    body = json.loads(pull_request(delivery, 7, "edited", when, created_at="03-01", body=text).body)
    body["changes"] = {} if before is None else {"body": {"from": before}}
    return webhook(delivery, "pull_request", body)


def test_before_the_first_edit_that_was_seen_stands_what_it_replaced() -> None:
    model, _ = model_of(edited("a", "03-05", "Final.", "Draft."))
    assert read(model, "03-02") == ("Draft.", "a")
    assert read(model, "03-05") == ("Final.", "a")
    with model.snapshot() as snapshot:
        k = snapshot.watermark(REPO).last_recorded
        found = [texts_of(snapshot, REPO, [7], at(day), k)[7] for day in ("03-02", "03-05")]
    assert [one.reconstructed for one in found] == [True, False]


def test_what_an_edit_tells_never_stands_for_a_text_that_was_seen() -> None:
    seen = pull_request("s", 7, "labeled", "03-02", created_at="03-01", body="Seen.")
    for records in (
        (seen, edited("a", "03-05", "Final.", "Told.")),
        (edited("a", "03-05", "Final.", "Told."), seen),
    ):
        model, _ = model_of(*records)
        assert read(model, "03-03") == ("Seen.", "s")
        assert read(model, "03-01") == ("Seen.", "s")


def test_an_edit_of_something_else_tells_no_text_before() -> None:
    model, _ = model_of(edited("a", "03-05", "Text.", None))
    assert read(model, "03-02") == ("Text.", "a")
    model, _ = model_of(edited("a", "03-05", "Text.", ""))
    assert read(model, "03-02") == ("", "a")


def test_each_text_is_stored_once_and_observations_stay_small() -> None:
    long = "x" * 10_000
    model, _ = model_of(
        *(pull_request(f"r{day}", 7, "edited", f"03-0{day}", body=long) for day in range(1, 8))
    )
    with model.snapshot() as snapshot:
        tables = snapshot.tables(PullRequestTables)
        assert len(snapshot.connection.execute(select(tables.texts)).all()) == 1
        fields = list(snapshot.connection.scalars(select(tables.observations.c.fields)))
    assert max(map(len, fields)) < 1_000


def test_what_databases_refuse_is_replaced_before_it_is_stored() -> None:
    model, _ = model_of(pull_request("a", 7, "opened", "03-01", body="a\x00b\ud800c"))
    assert read(model, "03-01") == ("a\ufffdb\ufffdc", "a")
