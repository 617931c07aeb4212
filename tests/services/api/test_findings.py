"""What persons should look at is scraped, as it stands now, without making a scrape expensive."""

import asyncio
import re
import time

import pytest
import structlog
from fastapi import FastAPI
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy.exc import OperationalError

from events.facts.editions import TellingDecided
from events.log.memory import MemoryLog
from events.sources.authored import author
from projections.engine.read_model import ReadModel
from services.api.app import create_app
from services.api.findings import Findings, FindingsLoop
from services.api.health import health_router
from services.config.settings import ReadinessSettings
from services.runtime.telemetry import Metrics
from services.stream.health import Health
from tests.answers import stores_of
from tests.builders import REPO, at
from tests.projections.release_inclusion.bench import Arrival
from tests.projections.roadmap_status.bench import (
    RoadmapBench,
    closed_issue,
    issue,
    roadmap,
)
from tests.services.api.test_questions import Client
from tests.worlds import SetClock

R08 = "- [ ] #60\n- [x] #61\n- [x] #62\n- [x] write docs"


def r08() -> list[Arrival]:
    """#60 and #62 are closed as completed, #61 is open; #60 is not ticked, the others are."""
    return [
        issue(60, "02-01"),
        issue(61, "02-01"),
        issue(62, "02-01"),
        roadmap(R08),
        closed_issue(60, "02-02"),
        closed_issue(62, "02-03"),
    ]


def health_of(model: ReadModel) -> Health:
    log, clock = MemoryLog(SetClock()), SetClock()
    limits = ReadinessSettings()
    return Health(read_model=model, log=log, clock=clock, limits=limits, fault=lambda: None)


def metrics_of() -> Metrics:
    return Metrics(CollectorRegistry())


def scraped(text: str, name: str, label: str) -> dict[str, float]:
    """Return the samples of a metric in a scrape by one label."""
    found = re.findall(rf'^{name}\{{.*?{label}="([^"]*)".*\}} (\S+)$', text, re.MULTILINE)
    return {value: float(number) for value, number in found}


def test_r08_the_count_of_conflicts_between_roadmap_and_facts_is_scraped() -> None:
    model = RoadmapBench(*r08()).model
    metrics = metrics_of()
    app = create_app(stores_of(model), metrics, health_of(model), None)
    client = Client(app)
    assert "shipledger_findings_age_seconds NaN" in client.get("/metrics").text
    asyncio.run(first_look(app, metrics))
    text = client.get("/metrics").text
    assert scraped(text, "shipledger_roadmap_conflicts", "kind") == {
        "claimed delivered, not there": 1.0,
        "delivered, claimed open": 1.0,
    }
    assert 'repository="acme/widget",roadmap="50"' in text


async def first_look(app: FastAPI, metrics: Metrics) -> None:
    """Let the application live until it has looked."""
    async with app.router.lifespan_context(app):
        while b"shipledger_decision_conflicts{" not in generate_latest(metrics.registry):
            await asyncio.sleep(0.01)


def test_a_scrape_computes_nothing_and_tells_how_old_the_findings_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    model = RoadmapBench(*r08()).model
    metrics, stores = metrics_of(), stores_of(model)
    findings = Findings(stores, metrics, clock=lambda: now[0])
    app = FastAPI()
    app.include_router(health_router(metrics, health_of(model), findings))
    client = Client(app)
    assert "shipledger_findings_age_seconds NaN" in client.get("/metrics").text
    findings.measure()

    def computed(*_: object) -> None:
        raise AssertionError("computed inside a scrape")

    for name in ("open_roadmaps", "conflicts", "decisions", "listing"):
        monkeypatch.setattr(f"services.api.findings.{name}", computed)
    now[0] = 130.0
    text = client.get("/metrics").text
    assert "shipledger_findings_age_seconds 30.0" in text
    assert "delivered, claimed open" in text


def test_a_fault_in_one_look_is_logged_and_looked_at_again() -> None:
    looks: list[int] = []

    class Failing(Findings):
        def measure(self) -> None:
            looks.append(1)
            raise ZeroDivisionError("never expected")

    loop = FindingsLoop(Failing(stores_of(RoadmapBench().model), metrics_of()), every=0.01)
    with structlog.testing.capture_logs() as lines:
        loop.start()
        deadline = time.monotonic() + 5
        while len(looks) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert loop.stop()
    assert len(looks) >= 3
    assert {line["event"] for line in lines} == {"findings.failed"}


def decided(name: str, value: str) -> Arrival:
    fact = TellingDecided(
        kind="exclusion", decided_at=at("02-05"), author=name, value=value, numbers=(61,)
    )
    return "02-05", author(REPO, fact, time=at("02-05"), record_id=name)


def test_decisions_that_did_not_know_of_each_other_are_scraped() -> None:
    alone, beside = decided("lead", "kept"), decided("other", "ci-only")
    for arrivals, count in (([alone], 0.0), ([alone, beside], 1.0)):
        metrics = metrics_of()
        Findings(stores_of(RoadmapBench(*r08(), *arrivals).model), metrics).measure()
        text = generate_latest(metrics.registry).decode()
        assert scraped(text, "shipledger_decision_conflicts", "repository") == {
            "acme/widget": count
        }


def test_a_conflict_that_was_resolved_becomes_zero_and_nothing_is_read_twice() -> None:
    now = [0.0]
    bench = RoadmapBench(*r08())
    stores, metrics = stores_of(bench.model), metrics_of()
    findings = Findings(stores, metrics, every=60, clock=lambda: now[0])
    findings.measure()
    solved = RoadmapBench(*r08(), closed_issue(61, "02-07"))
    object.__setattr__(stores, "read_model", solved.model)
    gauge = metrics.roadmap_conflicts

    def conflict() -> float:
        labels = ("acme/widget", "50", "claimed delivered, not there")
        return float(gauge.labels(*labels)._value.get())

    findings.measure()
    assert conflict() == 1.0, "it looked again before it was time"
    now[0] = 61.0
    findings.measure()
    assert conflict() == 0.0
    object.__setattr__(stores, "read_model", bench.model)
    now[0] = 122.0
    findings.measure()
    assert conflict() == 1.0


def test_a_read_model_that_is_away_leaves_the_gauges_and_fails_no_scrape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    stores, metrics = stores_of(RoadmapBench(*r08()).model), metrics_of()
    findings = Findings(stores, metrics, every=1, clock=lambda: now[0])
    findings.measure()
    before = generate_latest(metrics.registry)

    def away() -> None:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(stores.read_model, "snapshot", away)
    now[0] = 2.0
    findings.measure()
    assert generate_latest(metrics.registry) == before
