"""The API over a projected world, through its real routes."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import CollectorRegistry

from events.instant import DAY
from services.api import create_app
from services.config.settings import ReadinessSettings, Settings
from services.intake.webhooks import Ingest, Secrets
from services.runtime.telemetry import Metrics
from services.simulator import World
from services.simulator.counts import counts
from services.stream.health import Health
from tests.answers import stores_of
from tests.worlds import SetClock, memory_engine, project, world_log

REPORT = "/v1/repositories/acme/widget/report"
JUNE = {"from": "2026-06-01", "to": "2026-07-01"}


class Client:
    """Asks an application without a network."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def get(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.get(path, params=params, headers=headers)

        return asyncio.run(ask())


class Api:
    """An API whose log has all deliveries of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.log = world_log(world)
        self.clock = SetClock(world.truth.end + DAY)
        self.model = project(self.log, engine=memory_engine(), clock=self.clock)
        self.metrics = Metrics(CollectorRegistry())
        self.fault: str | None = None
        self.settings = Settings(data=Path("unused"))

    def client(self) -> Client:
        health = Health(
            read_model=self.model,
            log=self.log,
            clock=self.clock,
            limits=ReadinessSettings(),
            fault=lambda: self.fault,
        )
        stores = stores_of(self.model, log=self.log, clock=self.clock, settings=self.settings)
        ingest = Ingest(
            log=self.log, clock=self.clock, secrets=Secrets(["s"]), metrics=self.metrics
        )
        return Client(create_app(stores, self.metrics, health, ingest))


@pytest.fixture(scope="module")
def api(small_world: World) -> Api:
    return Api(small_world)


@pytest.fixture
def client(api: Api) -> Client:
    return api.client()


def test_a_report_counts_what_happened(client: Client, api: Api) -> None:
    report = client.get(REPORT, params=JUNE).json()
    month = (1_780_272_000_000_000, 1_782_864_000_000_000)
    assert report["counts"] == counts(api.world.truth.pulls, *month)


@pytest.mark.parametrize(
    ("path", "params", "status", "words"),
    [
        (REPORT, {"from": "2026-06-01"}, 400, "say which period: by name"),
        (REPORT, {**JUNE, "tz": "Mars"}, 400, "unknown time zone"),
        (REPORT, {**JUNE, "format": "pdf"}, 400, "there are: md, txt, html, json, csv"),
        (REPORT, {**JUNE, "as_of": "2026-06-03"}, 400, "offset"),
        (REPORT, {**JUNE, "known_at": "2030-01-01T00:00:00Z"}, 400, "lies after"),
        (REPORT, {"from": "2026-07-01", "to": "2026-06-01"}, 400, "is empty"),
        ("/v1/repositories/acme/nope/report", JUNE, 404, "nothing was recorded"),
        ("/v1/repositories/acme/widget/pulls/99999", {}, 404, "nothing is recorded"),
        ("/v1/repositories/acme/widget/pulls/abc", {}, 400, "number"),
        ("/v1/records/github.com/1001/nope", {}, 404, "has no record"),
        ("/v1/records/github.com/name:acme/other/nope", {}, 404, "has no record"),
        ("/v2", {}, 404, "Not Found"),
    ],
)
def test_a_question_that_cannot_be_answered_is_told_how_to_ask(
    client: Client, path: str, params: dict[str, str], status: int, words: str
) -> None:
    answer = client.get(path, params=params)
    assert answer.status_code == status
    said = answer.json()
    assert set(said) == {"error", "message"}
    assert words in said["message"]


def test_only_a_settled_answer_has_a_tag_and_the_tag_saves_sending_it_again(
    client: Client,
) -> None:
    assert (
        "etag" not in client.get(REPORT, params=JUNE).headers
        or client.get(REPORT, params=JUNE).json()["settled"]
    )
    settled = {**JUNE, "known_at": "2026-06-20T00:00:00Z"}
    first = client.get(REPORT, params=settled)
    tag = first.headers["etag"]
    again = client.get(REPORT, params=settled, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    other = [
        {**settled, "format": "md"},
        {**settled, "tz": "Asia/Shanghai"},
        {**settled, "known_at": "2026-06-21T00:00:00Z"},
        {**settled, "as_of": "2026-06-10T00:00:00Z"},
    ]
    tags = {client.get(REPORT, params=each).headers["etag"] for each in other}
    assert len(tags | {tag}) == len(other) + 1


@pytest.mark.parametrize(
    ("form", "media"),
    [
        ("md", "text/markdown"),
        ("json", "application/json"),
        ("html", "text/html"),
        ("csv", "text/csv"),
    ],
)
def test_a_report_comes_in_every_format(client: Client, form: str, media: str) -> None:
    answer = client.get(REPORT, params={**JUNE, "format": form})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media)


def test_repositories_are_listed_and_the_page_links_to_each_month(client: Client) -> None:
    (listed,) = client.get("/v1/repositories").json()["repositories"]
    assert listed["name"] == "acme/widget"
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "http" not in page.text.replace("http-equiv", "")
    for month in ("May", "Jun", "Jul"):
        assert f">{month}</a>" in page.text


def test_metrics_and_health_tell_how_far_behind_the_read_model_is(api: Api) -> None:
    client = api.client()
    assert client.get("/healthz").status_code == 200
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["behind_records"]) == (200, 0)
    text = client.get("/metrics").text
    partition = 'partition="github.com/1001",projection="pull_requests"'
    assert f"shipledger_projection_lag_records{{{partition}}} 0.0" in text
    api.fault = "the projector has ended"
    broken = client.get("/readyz")
    assert broken.status_code == 503
    assert broken.json()["reasons"] == ["the projector has ended"]
    api.fault = None


def test_openapi_describes_every_route(client: Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {
        "/webhooks/github",
        "/v1/repositories",
        "/v1/repositories/{owner}/{name}/report",
        "/v1/repositories/{owner}/{name}/pulls/{number}",
        "/v1/records/{repository}/{record_id}",
        "/healthz",
        "/readyz",
        "/metrics",
    } <= set(paths)
    assert all(method["summary"] for path in paths.values() for method in path.values())
