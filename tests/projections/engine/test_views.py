"""The SQL views say what the API says (S08), whatever the zone of the session that asks."""

import itertools
import random
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from sqlalchemy import Engine, Row, create_engine, make_url, text, update

from events.errors import ConfigurationError
from events.instant import DAY, Instant, from_datetime, to_datetime
from events.record import Record
from projections.engine import generations, migrations, views
from projections.engine.read_model import ReadModel
from projections.engine.rebuild import rebuild
from projections.store.schema import versions
from services.answers.questions.period import Period, midnight
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.simulator import simulate
from tests.builders import at, pull_request
from tests.engines import NewEngine, PostgresModels
from tests.lab import Lab, created
from tests.worlds import memory_engine, project, world_log

BERLIN = "Europe/Berlin"

#: L06's edges, beside the edges of Berlin's months; summer time begins on 29 March.
MERGED_AT = (
    "2026-01-31T22:59:59Z",
    "2026-01-31T23:00:00Z",
    "2026-01-31T23:59:59Z",
    "2026-02-01T00:00:00Z",
    "2026-02-01T07:00:00Z",
    "2026-02-28T22:59:59Z",
    "2026-02-28T23:59:60Z",
    "2026-03-31T21:59:59Z",
    "2026-03-31T22:00:00Z",
)


@pytest.fixture
def models(postgres_models: PostgresModels) -> PostgresModels:
    """Merges at the edges, in a database whose zone is Berlin."""
    arrivals = [created(), *(("04-05", _merge(*each)) for each in enumerate(MERGED_AT, 1))]
    lab = Lab(arrivals, engine=postgres_models.new())
    assert lab.counts("2026-01-01", "2026-05-01")["merged"] == len(MERGED_AT)
    return postgres_models


def _merge(number: int, when: str) -> Record:
    shown: dict[str, Any] = {"state": "closed", "merged": True, "created_at": "01-02"}
    times = {"merged_at": when, "closed_at": when}
    return pull_request(f"d{number}", number, "closed", "04-05", **shown, **times)


@pytest.fixture
def grafana(models: PostgresModels) -> Iterator[Engine]:
    """A connection as Grafana has it: nothing set, so the zone is the database's own."""
    engine = create_engine(make_url(models.url))
    yield engine
    engine.dispose()


def test_s08_merges_per_month_equal_the_api(models: PostgresModels, grafana: Engine) -> None:
    panel = text(
        "SELECT date_trunc('month', at, :zone) AS month, count(*) AS merged FROM shipledger_merges "
        "WHERE repository = 'acme/widget' AND at >= :start AND at < :end GROUP BY 1 ORDER BY 1"
    )
    with grafana.connect() as connection:
        assert connection.scalar(text("SHOW TimeZone")) == BERLIN
        for zone in (BERLIN, "UTC", "America/Los_Angeles", "Asia/Kolkata"):
            months = [midnight(date(2026, month, 1), zone) for month in (1, 2, 3, 4, 5)]
            start, end = to_datetime(months[0]), to_datetime(months[-1])
            asked = {"zone": zone, "start": start, "end": end}
            found = {
                from_datetime(row.month): row.merged for row in connection.execute(panel, asked)
            }
            told = {a: _api(models, a, b)["merged"] for a, b in itertools.pairwise(months)}
            assert found == {month: merged for month, merged in told.items() if merged}, zone


def test_moments_are_timestamptz(grafana: Engine) -> None:
    asked = text(
        "SELECT DISTINCT data_type FROM information_schema.columns WHERE table_name = ANY(:names) "
        "AND column_name IN ('at', 'since', 'valid_from', 'valid_until')"
    )
    with grafana.connect() as connection:
        types = connection.scalars(asked, {"names": list(views.NAMES)}).all()
    assert types == ["timestamp with time zone"]


def test_the_counts_of_any_period_equal_the_api(postgres_models: PostgresModels) -> None:
    world = simulate(41, pulls=90, days=80)
    engine = postgres_models.new()
    project(world_log(world), engine=engine)
    chance = random.Random(2)
    asked = text("SELECT * FROM shipledger_period_counts('acme/widget', :a, :b)")
    with engine.connect() as connection:
        for _ in range(40):
            a = world.truth.start + chance.randrange(70) * DAY
            b = a + chance.randrange(1, 60) * DAY
            row = connection.execute(asked, {"a": to_datetime(a), "b": to_datetime(b)}).one()
            _assert_same(row, _api(postgres_models, a, b))


def test_the_counts_of_months_equal_the_api(models: PostgresModels, grafana: Engine) -> None:
    asked = text("SELECT * FROM shipledger_month_counts('acme/widget', :a, :b, :zone)")
    a, b = at("2026-01-10T00:00:00Z"), at("2026-04-20T00:00:00Z")
    edges = [a, *(midnight(date(2026, month, 1), BERLIN) for month in (2, 3, 4)), b]
    with grafana.connect() as connection:
        given = {"a": to_datetime(a), "b": to_datetime(b), "zone": BERLIN}
        rows = connection.execute(asked, given).all()
    firsts = [midnight(date(2026, month, 1), BERLIN) for month in (1, 2, 3, 4)]
    assert [from_datetime(row.month) for row in rows] == firsts
    for row, start, end in zip(rows, edges, edges[1:], strict=False):
        _assert_same(row, _api(models, start, end))


def _assert_same(row: Row[Any], told: dict[str, int | None]) -> None:
    counts = {name: value for name, value in row._mapping.items() if name != "month"}
    assert counts == {name: told[name] for name in counts}


def _api(models: PostgresModels, a: Instant, b: Instant) -> dict[str, int | None]:
    question = ReportQuestion(full_name="acme/widget", period=Period(start=a, end=b, zone=BERLIN))
    with ReadModel(models.reading()).snapshot() as snapshot:
        return assemble(snapshot, question).counts


def test_views_show_the_same_events_on_both_engines_and_after_a_rebuild(
    new_engine: NewEngine,
) -> None:
    log, engine = world_log(simulate(42, pulls=40, days=40)), new_engine()
    project(log, engine=engine)
    expected = _numbers(project(log).engine)
    assert _numbers(engine) == expected
    assert rebuild(engine, log, "pull_requests", lambda: 0).switched
    assert rebuild(engine, log, "repositories", lambda: 0).switched
    assert _numbers(engine) == expected
    assert all(expected.values())


def _numbers(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    with engine.connect() as connection:
        return {
            name: [
                tuple(row)
                for row in connection.execute(
                    text(f"SELECT repository, number, base FROM {name} ORDER BY 2, 3")
                )
            ]
            for name in views.NAMES
            if name != views.REPOSITORIES
        }


# Versions of the control tables


def test_control_tables_of_a_newer_program_are_refused(new_engine: NewEngine) -> None:
    engine = new_engine()
    with engine.begin() as connection:
        connection.execute(update(versions).values(version=99))
    with pytest.raises(ConfigurationError, match="newer Shipledger"):
        generations.prepare(engine)
    with engine.connect() as connection, pytest.raises(ConfigurationError, match="upgrade"):
        migrations.check(connection)


def test_steps_are_taken_once_and_in_order(new_engine: NewEngine) -> None:
    taken: list[int] = []
    steps = (*migrations.STEPS, lambda _: taken.append(2), lambda _: taken.append(3))
    engine = new_engine()
    for _ in range(2):
        with engine.begin() as connection:
            migrations.migrate(connection, steps)
            migrations.check(connection, steps)
    assert taken == [2, 3]


def test_a_read_model_from_before_versions_is_taken_over() -> None:
    engine = memory_engine()
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE schema_version"))
        assert migrations.version(connection) == 0
        migrations.check(connection)
    generations.prepare(engine)
    with engine.begin() as connection:
        assert migrations.version(connection) == len(migrations.STEPS)
