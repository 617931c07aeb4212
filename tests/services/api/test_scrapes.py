"""A scrape reads what processes hold, and what the control tables say: never a text."""

import re
from collections.abc import Sequence
from typing import Any, NoReturn

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine, event

from events.instant import SECOND
from events.log.memory import MemoryLog
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.rebuild import rebuild
from projections.engine.retry import retry
from projections.release_inclusion.view import HistoryCache
from projections.roadmap_status.context import Convention
from projections.roadmap_status.editions.cache import EditionCache
from projections.store.schema import control
from services.api.findings import Findings
from services.api.health import health_router
from services.stream.editions import EditionKeeper
from services.stream.histories import HistoryKeeper
from tests.answers import stores_of
from tests.builders import at
from tests.engines import NewEngine
from tests.projections.release_inclusion.bench import ROLES, Arrival, git
from tests.projections.release_inclusion.histories import line_of
from tests.projections.roadmap_status.bench import RoadmapBench, closed_issue, issue, roadmap
from tests.refusing import refusing
from tests.services.api.test_findings import health_of, metrics_of, r08, scraped
from tests.services.api.test_questions import Client
from tests.worlds import SetClock, project


def _statements(engine: Engine) -> list[str]:
    """Return a list that every statement is added to."""
    statements: list[str] = []

    def add(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", add)
    return statements


def _tables(statements: Sequence[str]) -> set[str]:
    named = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_0-9]+)", re.IGNORECASE)
    tables = {table for statement in statements for table in named.findall(statement)}
    return {re.sub(r"_g[0-9]+$", "", table) for table in tables}


def _big(items: int) -> list[Arrival]:
    text = "\n".join(f"- [x] #{60 + n}" for n in range(items))
    issues = [issue(60 + n, "02-01") for n in range(items)]
    return [*issues, roadmap(text), closed_issue(60, "02-03")]


def test_a_scrape_asks_the_control_tables_alone_however_large_a_roadmap_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    for arrivals in (_big(2), _big(60)):
        model = RoadmapBench(*arrivals).model
        metrics, stores = metrics_of(), stores_of(model)
        findings = Findings(stores, metrics)
        app = FastAPI()
        app.include_router(health_router(metrics, health_of(model), findings))
        client = Client(app)
        findings.measure()
        with monkeypatch.context() as patch:
            _refuse_to_read(patch)
            statements = _statements(model.engine)
            text = client.get("/metrics").text
        assert sum(scraped(text, "shipledger_roadmap_conflicts", "kind").values()) > 0
        asked.append(statements)
    assert asked[0] == asked[1], "it asks the same, however many items there are"
    assert _tables(asked[0]) <= {*control.tables, "repo_name"}, "and of projections only names"


def _refuse_to_read(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a text was read inside a scrape")

    rooms = "projections.roadmap_status"
    for name in (
        "editions.walk.read_piecewise",
        "editions.walk.read_roadmap",
        "editions.walk.unpack",
        "items.parse.read",
        "queries.texts_of",
        "context.RoadmapContext.view_of",
    ):
        patch.setattr(f"{rooms}.{name}", refuse)


def test_a_record_that_is_understood_at_a_second_try_is_looked_at(new_engine: NewEngine) -> None:
    """It is known since it was recorded, so the last record stays the same one."""
    now = [0.0]
    clock = SetClock(at("01-31"))
    log = MemoryLog(clock)
    closing = closed_issue(62, "02-03")
    arrivals = [*r08()[:-1], closing, issue(63, "02-04")]
    with refusing(closing[1].id):
        for when, record in arrivals:
            clock.now = max(clock.now + SECOND, at(when))
            log.append([record])
        model = project(log, engine=new_engine())
    stores, metrics = stores_of(model), metrics_of()
    findings = Findings(stores, metrics, every=1, clock=lambda: now[0])
    findings.measure()
    gauge = metrics.roadmap_conflicts.labels("acme/widget", "50", "claimed delivered, not there")
    assert gauge._value.get() == 2.0
    retry(model.engine, log, [closing[1].id])
    now[0] = 2.0
    findings.measure()
    assert gauge._value.get() == 1.0


def test_a_rebuild_does_not_miss_what_is_only_kept(new_engine: NewEngine) -> None:
    clock = SetClock(at("01-31"))
    log, engine = MemoryLog(clock), new_engine()
    for when, record in [*r08(), *git(line_of("Add a (#1)", v1="Add a (#1)"), "02-10")]:
        clock.now = max(clock.now + SECOND, at(when))
        log.append([record])
    model = project(log, engine=engine)
    _keep(engine, model)
    kept = {"release_inclusion": "kept_history", "roadmap_status": "kept_edition"}
    for name, table in kept.items():
        assert _count(engine, name, table) > 0
        result = rebuild(engine, log, name, clock)
        assert result.switched
        assert result.differences == ()
        assert _count(engine, name, table) == 0
    _keep(engine, model)
    assert all(_count(engine, name, table) for name, table in kept.items())


def _keep(engine: Engine, model: ReadModel) -> None:
    parts: dict[str, Any] = {"engine": engine, "read_model": model}
    HistoryKeeper(**parts, roles=lambda _: ROLES, histories=HistoryCache())._round()
    EditionKeeper(**parts, convention=lambda _: Convention(), editions=EditionCache())._round()


def _count(engine: Engine, name: str, table: str) -> int:
    with engine.connect() as connection:
        (projection,) = [one for one in generations.active(connection) if one.name == name]
        full = f"{table}_g{projection.generation}"
        found = connection.exec_driver_sql(f"SELECT count(*) FROM {full}").scalar()
        return int(found or 0)
