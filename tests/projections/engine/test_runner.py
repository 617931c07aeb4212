"""The apply loop: poison is set aside, the rest goes on, and a second try mends history."""

from typing import cast

import msgspec
import pytest
from sqlalchemy import Engine, select

from events import translate
from events.errors import BrokenLog, InvalidEvent, InvalidQuestion, TransientError
from events.facts.base import Fact
from events.facts.operations import Ticked
from events.facts.repository import GapFilled, GapObserved
from events.log.irregular import redacted_record
from events.log.memory import MemoryLog
from events.log.port import START, Cursor
from events.record import Entry, Record
from events.sources import authored
from projections.engine import generations
from projections.engine.catalog import PROJECTIONS
from projections.engine.rebuild import rebuild
from projections.engine.retry import retry
from projections.engine.runner import Runner
from projections.store.base import read_entry
from projections.store.checkpoint import apply_batch, lock_cursor
from projections.store.schema import dead_letters
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from tests.builders import REPO, at, pull_request, webhook
from tests.lab import Lab, created
from tests.worlds import memory_engine, project, rows

DEEP = b'{"a":' * 10_000 + b"1" + b"}" * 10_000


def letters(engine: Engine) -> list[tuple[str, str]]:
    with engine.connect() as connection:
        found = connection.execute(
            select(dead_letters.c.record_id, dead_letters.c.path)
            .where(dead_letters.c.projection == "pull_requests")
            .order_by(dead_letters.c.position)
        )
        return [(record_id, path) for record_id, path in found]


@pytest.fixture
def poisoned() -> Lab:
    """S04, as far as it does not need a broker: three records that can never be used."""
    return Lab(
        [
            created(),
            ("05-01", pull_request("199", 1, "opened", "05-01")),
            ("05-01", webhook("200", "pull_request", b'{"action": "\xff"}')),
            ("05-01", webhook("201", "pull_request", b'{"action": "opened", "pull_request": {}}')),
            ("05-02", pull_request("204", 2, "opened", "05-02")),
            ("05-02", webhook("205", "pull_request", DEEP)),
        ]
    )


def test_s04_poison_is_set_aside_with_its_reason_and_the_rest_is_applied(poisoned: Lab) -> None:
    assert [record_id for record_id, _ in letters(poisoned.model.engine)] == ["200", "201", "205"]
    report = poisoned.report("2026-05-01", "2026-06-01")
    assert report.counts["opened"] == 2


def test_what_was_set_aside_takes_the_proof_from_every_count(poisoned: Lab) -> None:
    report = poisoned.report("2026-05-01", "2026-06-01")
    assert set(report.quality.values()) == {"at_least"}
    named = [doubt for doubt in report.coverage if doubt.kind == "set_aside"]
    assert [doubt.evidence for doubt in named] == [("200",), ("201",), ("205",)]


def test_a_dead_letter_names_the_place_of_the_fault(poisoned: Lab) -> None:
    assert dict(letters(poisoned.model.engine))["201"] != ""


def test_a_rebuild_ends_with_the_same_dead_letters(poisoned: Lab) -> None:
    result = rebuild(poisoned.model.engine, poisoned.log, "pull_requests", poisoned.clock)
    assert (result.switched, result.new_dead_letters, result.differing) == (True, (), 0)
    assert len(letters(poisoned.model.engine)) == 3


def test_a_letter_that_still_cannot_be_read_stays(poisoned: Lab) -> None:
    results = retry(poisoned.model.engine, poisoned.log, ["201"])
    assert [result.reason is None for result in results] == [False] * len(PROJECTIONS)
    assert ("201" in dict(letters(poisoned.model.engine))) is True


def test_a_mended_letter_is_folded_as_if_it_had_been_understood_at_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arrivals = [
        created(),
        ("05-01", pull_request("a", 1, "opened", "05-01")),
        ("05-03", pull_request("b", 1, "closed", "05-03", state="closed", closed_at="05-03")),
        ("05-04", pull_request("c", 1, "labeled", "05-04", state="closed", closed_at="05-03")),
    ]
    expected = rows(Lab(arrivals).model)
    understands = translate.TRANSLATORS["webhook"]

    def refuses(record: Record) -> tuple[Fact, ...] | str:
        if record.id == "b":
            raise InvalidEvent("not understood yet")
        return understands(record)

    monkeypatch.setitem(cast(dict[str, object], translate.TRANSLATORS), "webhook", refuses)
    lab = Lab(arrivals)
    assert [record_id for record_id, _ in letters(lab.model.engine)] == ["b"]
    monkeypatch.undo()
    assert all(result.reason is None for result in retry(lab.model.engine, lab.log))
    assert letters(lab.model.engine) == []
    assert rows(lab.model)["pr_state"] == expected["pr_state"]
    assert rows(lab.model)["pr_open_month"] == expected["pr_open_month"]


def test_a_redacted_record_is_named_as_such() -> None:
    record = redacted_record(pull_request("a", 1, "opened", "05-01"), "secret", at("05-02"))
    lab = Lab([created(), ("05-01", record)])
    says = [doubt.says for doubt in lab.report("2026-05-01", "2026-06-01").coverage]
    assert any("redacted" in text for text in says)


def test_a_hole_before_the_next_position_is_an_error_and_never_a_skip() -> None:
    engine = memory_engine()
    log = MemoryLog(lambda: at("05-01"))
    for number in range(1, 4):
        log.append([pull_request(f"d{number}", number, "opened", "05-01")])
    batch = [read_entry(entry) for entry in log.read(REPO, START)]
    with engine.begin() as connection:
        projection = generations.active(connection)[0]
        cursor = lock_cursor(connection, projection, REPO)
        with pytest.raises(BrokenLog, match="records 0 to 0 are missing"):
            apply_batch(connection, projection, REPO, cursor, batch[1:])


def test_redelivered_positions_are_dropped() -> None:
    engine = memory_engine()
    log = MemoryLog(lambda: at("05-01"))
    for number in range(1, 4):
        log.append([pull_request(f"d{number}", number, "opened", "05-01")])
    batch = [read_entry(entry) for entry in log.read(REPO, START)]
    with engine.begin() as connection:
        projection = generations.active(connection)[0]
        for part in (batch[:2], batch[:3], batch[1:]):
            cursor = lock_cursor(connection, projection, REPO)
            apply_batch(connection, projection, REPO, cursor, part)
        assert lock_cursor(connection, projection, REPO) == Cursor(3, batch[-1].k)


class _Away(MemoryLog):
    """A log that is away at first."""

    faults = 2

    def read(
        self, partition: str, cursor: Cursor, *, limit: int = 500, max_bytes: int = 1 << 25
    ) -> list[Entry]:
        if self.faults:
            self.faults -= 1
            raise TransientError("away")
        return super().read(partition, cursor, limit=limit, max_bytes=max_bytes)


def test_a_passing_fault_is_retried_in_order() -> None:
    engine = memory_engine()
    log = _Away(lambda: at("05-01"))
    for number in range(1, 4):
        log.append([pull_request(f"d{number}", number, "opened", "05-01")])
    runner = Runner(engine, log, lambda: at("05-02"))
    for _ in range(2):
        with pytest.raises(TransientError):
            runner.catch_up()
    assert runner.catch_up() == 3 * len(PROJECTIONS)


def test_a_moment_that_nobody_can_know_yet_is_refused() -> None:
    lab = Lab([created()], until="2026-06-01T00:00:00Z")
    with pytest.raises(InvalidQuestion, match="lies after what has been read"):
        lab.report("2026-05-01", "2026-06-01", known_at="2026-06-02T00:00:00Z")


def test_a_period_is_cut_where_knowledge_ends() -> None:
    lab = Lab([created()], until="2026-05-20T00:00:00Z")
    report = lab.report("2026-05-01", "2026-06-01")
    assert (report.end, report.is_cut, report.settled) == (at("05-20"), True, False)


def test_an_as_of_after_the_end_of_the_period_changes_nothing() -> None:
    lab = Lab([created(), ("05-01", pull_request("a", 1, "opened", "05-01"))])
    plain = lab.report("2026-05-01", "2026-06-01")
    later = lab.report("2026-05-01", "2026-06-01", as_of="08-01")
    assert later.ledger == plain.ledger


def test_a_tick_settles_what_was_known_by_then() -> None:
    tick = authored.author(REPO, Ticked(at=at("06-02")), time=at("06-02"))
    arrivals = [created(), ("05-01", pull_request("a", 1, "opened", "05-01"))]
    assert not Lab(arrivals).report("2026-05-01", "2026-06-01").settled
    assert Lab([*arrivals, ("06-02", tick)]).report("2026-05-01", "2026-06-01").settled


def test_questions_over_an_empty_read_model_say_what_to_do() -> None:
    model = project(MemoryLog(lambda: 0))
    question = ReportQuestion(
        full_name="acme/widget", period=period("2026-05-01", "2026-06-01", "UTC")
    )
    with model.snapshot() as snapshot, pytest.raises(InvalidQuestion, match="nothing was recorded"):
        assemble(snapshot, question)


def test_authored_records_round_trip() -> None:
    fact = GapObserved(start=at("05-01"), end=at("05-02"), reason="the disk was full")
    record = authored.author(REPO, fact, time=at("05-02"))
    assert authored.translate(record) == (fact,)
    newer = msgspec.structs.replace(
        record, body=record.body.replace(b'"version":1', b'"version":2')
    )
    with pytest.raises(InvalidEvent, match="newer than this program"):
        authored.translate(newer)


def test_a_gap_is_named_and_takes_the_proof() -> None:
    fact = GapObserved(start=at("05-10"), end=at("05-11"), reason="the disk was full")
    lab = Lab([created(), ("05-12", authored.author(REPO, fact, time=at("05-11")))])
    assert set(lab.report("2026-05-01", "2026-06-01").quality.values()) == {"at_least"}
    assert set(lab.report("2026-06-01", "2026-07-01").quality.values()) == {"exact"}


def test_a_gap_that_was_filled_doubts_only_what_was_known_before() -> None:
    gap = authored.author(
        REPO,
        GapObserved(start=at("05-10"), end=at("05-11"), reason="the disk was full"),
        time=at("05-11"),
    )
    filled = authored.author(REPO, GapFilled(gap=gap.id), time=at("05-20"))
    lab = Lab([created(), ("05-12", gap), ("05-20", filled)])
    then = lab.report("2026-05-01", "2026-05-12", known_at="05-13")
    assert set(then.quality.values()) == {"at_least"}
    assert set(lab.report("2026-05-01", "2026-05-12").quality.values()) == {"exact"}
