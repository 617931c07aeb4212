"""One read model, two engines: on one log SQLite and PostgreSQL answer alike, field by field.

The PostgreSQL database has a zone of its own (Europe/Berlin), which must not matter.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import Engine, create_engine, make_url, text

from events.errors import NotFound
from events.instant import DAY, Instant
from events.record import Record
from projections.engine import generations
from projections.engine.read_model import ReadModel
from services.answers.questions.period import Period, period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.answers.reports.life_forms import life_forms
from services.answers.reports.request_life import request_life
from services.simulator import simulate
from services.stream.engines import reading_engine, writing_engine
from tests.answers import plain, report_text
from tests.builders import at, pull_request
from tests.engines import NewEngine, PostgresModels
from tests.lab import Lab, created
from tests.worlds import SECOND, log_of, project, record_of, rows

ZONES = ("UTC", "Asia/Shanghai", "America/Los_Angeles", "Asia/Kolkata", "Europe/Berlin")


class Both:
    """One log in both engines, and the stamps of its records."""

    def __init__(self, models: PostgresModels) -> None:
        world = simulate(31, pulls=110, days=92)
        delays = random.Random(31)
        arrivals = sorted(
            (each.at + delays.choice((1, 2, 30, 7_200)) * SECOND, each.index)
            for each in world.deliveries
        )
        log = log_of(
            [record_of(world.deliveries[index]) for _, index in arrivals],
            [at for at, _ in arrivals].__getitem__,
        )
        self.world = world
        self.known = [stamp for stamp, _ in arrivals]
        self.sqlite = project(log)
        project(log, engine=models.new())
        self.postgres = ReadModel(models.reading())

    @property
    def pair(self) -> tuple[ReadModel, ReadModel]:
        """Both read models."""
        return self.sqlite, self.postgres


@pytest.fixture
def both(postgres_models: PostgresModels) -> Both:
    return Both(postgres_models)


def questions(both: Both) -> Iterator[ReportQuestion]:
    """Yield months in every zone, and random periods on both clocks."""
    for zone in ZONES:
        for month in (5, 6, 7):
            yield _question(period(f"2026-0{month}-01", f"2026-0{month + 1}-01", zone))
    chosen = random.Random(8)
    for _ in range(60):
        start = both.world.truth.start + chosen.randrange(80) * DAY
        known = chosen.choice([None, *chosen.sample(both.known, 3)])
        if known is not None and known <= start:
            continue
        as_of = chosen.choice([None, start + chosen.randrange(1, 60 * 86_400) * SECOND])
        asked = Period(start=start, end=start + 30 * DAY, zone=chosen.choice(ZONES))
        yield _question(asked, as_of=as_of, known_at=known)


def _question(
    asked: Period, *, as_of: Instant | None = None, known_at: Instant | None = None
) -> ReportQuestion:
    return ReportQuestion(full_name="acme/widget", period=asked, as_of=as_of, known_at=known_at)


def test_every_report_is_the_same_json(both: Both) -> None:
    asked = list(questions(both))
    assert len(asked) > 50
    for question in asked:
        answers = []
        for model in both.pair:
            with model.snapshot() as snapshot:
                answers.append(report_text(assemble(snapshot, question), "json"))
        assert answers[0] == answers[1], question


def test_every_life_is_the_same_json(both: Both) -> None:
    chosen = random.Random(9)
    numbers = [pull.number for pull in both.world.truth.pulls]
    for number in numbers:
        known = both.known[-1] if number % 2 else chosen.choice(both.known[200:])
        first, second = (_life(model, number, known) for model in both.pair)
        assert first == second, number


def _life(model: ReadModel, number: int, known_at: Instant) -> dict[str, Any]:
    with model.snapshot() as snapshot:
        try:
            life = request_life(snapshot, "acme/widget", number, known_at=known_at)
            found: dict[str, Any] = plain(life_forms(life))
            return found
        except NotFound as error:
            return {"error": str(error)}


def test_every_row_is_the_same(both: Both) -> None:
    assert rows(both.sqlite) == rows(both.postgres)


def test_a_database_that_sorts_like_people_answers_alike(postgres_url: str) -> None:
    """Names are compared by their bytes, also where the database's own order is another."""
    url = make_url(postgres_url)
    administrator = create_engine(url, isolation_level="AUTOCOMMIT")
    sorted_otherwise = url.set(database=f"{url.database}_icu")
    with administrator.connect() as connection:
        connection.execute(
            text(
                f"CREATE DATABASE {sorted_otherwise.database} TEMPLATE template0 "
                "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'"
            )
        )
    address = sorted_otherwise.render_as_string(hide_password=False)
    engines = [writing_engine(address), reading_engine(address)]
    try:
        generations.prepare(engines[0])
        log = log_of(
            [
                pull_request(f"{n}", n, "opened", "05-01", base={"ref": base})
                for n, base in enumerate(("Zeta", "alpha", "_x", "beta/A", "beta/b", "ß", "é"), 1)
            ],
            lambda index: at("05-01") + index * SECOND,
        )
        project(log, engine=engines[0])
        question = _question(period("2026-05-01", "2026-06-01", "UTC"))
        answers = []
        for model in (project(log), ReadModel(engines[1])):
            with model.snapshot() as snapshot:
                answers.append(report_text(assemble(snapshot, question), "json"))
        assert answers[0] == answers[1]
    finally:
        for engine in engines:
            engine.dispose()
        with administrator.connect() as connection:
            connection.execute(text(f"DROP DATABASE {sorted_otherwise.database} WITH (FORCE)"))
        administrator.dispose()


# S05, S06: what one database keeps and another refuses, or gives back changed


def _titled(delivery_id: str, number: int, escaped: str) -> Record:
    record = pull_request(delivery_id, number, "opened", "05-01", title="TITLE")
    body = record.body.replace(b"TITLE", escaped.encode())
    return msgspec.structs.replace(record, body=body)


def test_s05_nul_and_half_surrogates_are_stored_alike(new_engine: NewEngine) -> None:
    escaped = {1: r"a\u0000b", 2: r"a\\u0000b", 3: r"a\ud800b", 4: r"\ud83d\ude80"}
    lab = Lab(
        [("05-01", _titled(f"d{number}", number, text)) for number, text in escaped.items()],
        engine=new_engine(),
    )
    titles = {number: lab.life(number).attributes.title for number in escaped}
    assert titles == {1: "a\ufffdb", 2: r"a\u0000b", 3: "a\ufffdb", 4: "🚀"}


def test_s06_an_instant_comes_back_as_the_instant_that_it_was(new_engine: NewEngine) -> None:
    opened = "2026-01-31T16:30:00-08:00"
    lab = Lab(
        [created(), ("02-01 01:00:00", pull_request("a", 5, "opened", opened))],
        engine=new_engine(),
    )
    in_utc = lab.report("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    in_kolkata = lab.report("2026-02-01T05:30:00+05:30", "2026-03-01T05:30:00+05:30")
    for report in (in_utc, in_kolkata):
        assert [entry.at for entry in report.entries["opened"]] == [at("02-01 00:30:00")]
    assert lab.counts("2026-01-01", "2026-02-01", tz="UTC") == {}
    assert lab.counts("2026-01-01", "2026-02-01", tz="America/Los_Angeles")["opened"] == 1


def test_numbers_and_names_at_the_edge_of_what_is_stored(new_engine: NewEngine) -> None:
    greatest, long_name = 2**63 - 1, "x" * 1_001
    lab = Lab(
        [
            ("05-01", pull_request("a", greatest, "opened", "05-01")),
            ("05-02", pull_request("b", 2, long_name, "05-02")),
            ("05-03", pull_request("c", 3, "opened", "05-03")),
        ],
        engine=new_engine(),
    )
    assert lab.life(greatest).state == "open"
    assert lab.life(3).state == "open"
    with lab.model.engine.connect() as connection:
        reasons = connection.execute(
            text("SELECT DISTINCT record_id, reason, path FROM dead_letter")
        )
        assert [tuple(row) for row in reasons] == [("b", "longer than 1,000 bytes", "kind")]


def test_a_reading_engine_cannot_write(postgres_models: PostgresModels) -> None:
    postgres_models.new()
    reading: Engine = postgres_models.reading()
    with reading.connect() as connection, pytest.raises(Exception, match="read-only"):
        connection.execute(text("DELETE FROM checkpoint"))
    with reading.connect() as connection:
        assert connection.scalar(text("SHOW statement_timeout")) == "30s"
        assert connection.scalar(text("SHOW transaction_isolation")) == "repeatable read"
        assert connection.scalar(text("SHOW TimeZone")) == "UTC"
