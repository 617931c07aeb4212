"""Prometheus and Grafana: every query names what exists, and brings something on the real parts."""

import json
import re
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry, start_http_server
from sqlalchemy import create_engine, make_url, text

from deploy.local.prometheus_part import PrometheusPart
from services.runtime.telemetry import Metrics
from services.simulator import simulate
from tests.deploy.compose import DEPLOY, services, variables
from tests.deploy.test_compose import needs
from tests.engines import PostgresModels
from tests.worlds import project, world_log

DASHBOARD: dict[str, Any] = json.loads(
    (DEPLOY / "grafana" / "dashboards" / "shipledger.json").read_text("utf-8")
)
ALERTS: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
JOBS = ("ingest", "worker", "api")


def queries(kind: str) -> list[tuple[str, str]]:
    """Return (panel, query) of one kind of data source."""
    field = {"prometheus": "expr", "postgres": "rawSql"}[kind]
    return [
        (panel["title"], target[field])
        for panel in PANELS
        for target in panel["targets"]
        if target["datasource"]["type"] == kind
    ]


def expressions() -> list[str]:
    """Return every expression of the dashboard and of the alerts."""
    rules = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    return [*rules, *(query for _, query in queries("prometheus"))]


@pytest.mark.parametrize(
    "asked",
    [("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")],
    ids=" ".join,
)
def test_promtool_has_nothing_to_say(asked: tuple[str, str, str]) -> None:
    needs(shutil.which("promtool"), "promtool")
    done = subprocess.run(
        ["promtool", *asked], cwd=DEPLOY / "prometheus", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_process_is_scraped_where_it_serves() -> None:
    config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))
    found = {
        job["job_name"]: job["dns_sd_configs"][0]
        for job in config["scrape_configs"]
        if "dns_sd_configs" in job
    }
    assert set(found) == {*JOBS, "mirror"}
    for job, where in found.items():
        command = services()[job]["command"]
        option = "--metrics-port" if job == "mirror" else "--port"
        assert where["names"] == [job]
        assert str(where["port"]) == command[command.index(option) + 1]


def test_every_metric_that_is_asked_for_exists() -> None:
    registry = CollectorRegistry()
    Metrics(registry)
    known = {name for metric in registry.collect() for name in _names(metric.name, metric.type)}
    for expression in expressions():
        asked = set(re.findall(r"\bshipledger_\w+", expression))
        assert asked <= known, expression


def _names(name: str, kind: str) -> list[str]:
    suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
    return [name + suffix for suffix in suffixes.get(kind, [""])]


@pytest.fixture
def scraped(prometheus: PrometheusPart) -> Iterator[PrometheusPart]:
    """Prometheus with a few seconds of a process in which everything has happened once."""
    metrics = Metrics(CollectorRegistry())
    server, thread = start_http_server(0, addr="127.0.0.1", registry=metrics.registry)
    address = f"127.0.0.1:{server.server_port}"
    for job in JOBS:
        prometheus.scrape(job, address)
    deadline = time.monotonic() + 30
    while len(_ask(prometheus, 'shipledger_deliveries_total{outcome="unavailable"}')) < len(JOBS):
        assert time.monotonic() < deadline, "Prometheus does not scrape"
        _happen(metrics)
        time.sleep(0.3)
    for _ in range(8):
        _happen(metrics)
        time.sleep(0.4)
    yield prometheus
    for job in JOBS:
        prometheus.scrape(job)
    server.shutdown()
    thread.join()
    server.server_close()


def _happen(metrics: Metrics) -> None:
    for outcome in ("stored", "unavailable"):
        metrics.deliveries.labels("push", outcome).inc()
    metrics.rejections.labels("bad_signature").inc()
    metrics.append_seconds.observe(0.002)
    metrics.forward_failures.inc()
    metrics.forward_waiting.set(9)
    metrics.forward_age.set(900)
    metrics.queue_free.set(1e9)
    metrics.projected.labels("pull_requests").inc(0)
    metrics.projection_seconds.labels("pull_requests").observe(0.1)
    metrics.worker_retries.labels("pull_requests").inc()
    metrics.dead_letters.labels("pull_requests").set(1)
    metrics.clock_ahead.set(600)
    metrics.lag_records.labels("pull_requests", "0").set(5)
    metrics.lag_seconds.labels("pull_requests", "0").set(500)


def test_every_expression_brings_something(scraped: PrometheusPart) -> None:
    for expression in expressions():
        if expression.startswith("absent("):
            continue  # it brings something where a process is missing; promtool tests that
        asked = re.sub(r"\[(5m|15m|\$__rate_interval)\]", "[10s]", expression)
        assert _ask(scraped, asked), asked


def _ask(prometheus: PrometheusPart, expression: str) -> list[Any]:
    question = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"{prometheus.url}/api/v1/query?{question}", timeout=10) as answer:
        found = json.load(answer)
    assert found["status"] == "success", found
    result: list[Any] = found["data"]["result"]
    return result


def test_every_sql_panel_brings_something(postgres_models: PostgresModels) -> None:
    project(world_log(simulate(44, pulls=60, days=80)), engine=postgres_models.new())
    engine = create_engine(make_url(postgres_models.url))
    variable = next(one for one in DASHBOARD["templating"]["list"] if one["name"] == "repository")
    with engine.connect() as connection:
        repositories = connection.scalars(text(variable["query"])).all()
        assert repositories == ["acme/widget"]
        for title, query in queries("postgres"):
            assert connection.execute(text(_expanded(query))).all(), title
    engine.dispose()


def _expanded(query: str) -> str:
    """Put in what Grafana puts in: texts as SQL strings, the bounds in UTC."""
    for macro, value in {
        "${repository:sqlstring}": "'acme/widget'",
        "${zone:sqlstring}": "'Europe/Berlin'",
        "$__timeFrom()": "'2026-05-01T00:00:00Z'",
        "$__timeTo()": "'2026-08-01T00:00:00Z'",
    }.items():
        query = query.replace(macro, value)
    assert "$" not in query, query
    return query


def test_no_panel_trusts_an_interval_macro_with_months() -> None:
    """S08: their bounds and buckets are of UTC, and a month is no fixed width."""
    for title, query in queries("postgres"):
        assert "$__timeGroup" not in query, title
        assert "$__timeFilter" not in query, f"{title}: its upper bound belongs to the period"


def test_data_sources_are_the_ones_that_are_provisioned() -> None:
    folder = DEPLOY / "grafana" / "provisioning"
    sources = yaml.safe_load((folder / "datasources" / "shipledger.yml").read_text("utf-8"))
    uids = {one["uid"] for one in sources["datasources"]}
    used = {target["datasource"]["uid"] for panel in PANELS for target in panel["targets"]}
    assert used == uids
    database = next(one for one in sources["datasources"] if one["type"] == "postgres")
    name = database["secureJsonData"]["password"].removeprefix("$")
    environment = services()["grafana"]["environment"]
    assert variables(environment[name]) == [("POSTGRES_READER_PASSWORD", ":?")]
    provider = yaml.safe_load((folder / "dashboards" / "shipledger.yml").read_text("utf-8"))
    path = provider["providers"][0]["options"]["path"]
    assert f"./deploy/grafana/dashboards:{path}:ro" in services()["grafana"]["volumes"]
