"""Releases over HTTP, through the real routes."""

from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from events.log.memory import MemoryLog
from services.api import create_app
from services.config.settings import ReadinessSettings
from services.runtime.telemetry import Metrics
from services.stream.health import Health
from tests.answers import stores_of
from tests.services.answers.releases.desk import story
from tests.services.api.test_questions import Client
from tests.worlds import SetClock

WIDGET = "/v1/repositories/acme/widget"


@pytest.fixture(scope="module")
def client() -> Client:
    desk, clock = story(), SetClock()
    log, metrics = MemoryLog(clock), Metrics(CollectorRegistry())
    health = Health(
        read_model=desk.model,
        log=log,
        clock=clock,
        limits=ReadinessSettings(),
        fault=lambda: None,
    )
    stores = stores_of(desk.model, log=log, clock=clock)
    return Client(create_app(stores, metrics, health, None))


def told(client: Client, path: str, **params: str) -> Any:
    answer = client.get(f"{WIDGET}/{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_all_releases_one_release_and_those_of_one_request(client: Client) -> None:
    tags = [one["tag"] for one in told(client, "releases")["releases"]]
    assert tags == ["v1.0.0", "v1.0.1", "v2.0.0"]
    page = told(client, "releases/v1.0.1")
    assert [row["number"] for row in page["new"]] == [3]
    against = told(client, "releases/v2.0.0", against="v1.0.0")
    assert [row["number"] for row in against["new"]] == [3, 5]
    answer = told(client, "pulls/3/releases")
    assert [one["release"] for one in answer["releases"]] == tags
    assert [one["release"] for one in answer["branches"]] == ["main", "dev", "release-1.0"]
    assert answer["port"]["state"] == "merged"
    assert told(client, "review")["waiting"] == []


def test_the_list_can_be_of_one_family_of_tags_and_tells_its_scheme(client: Client) -> None:
    listed = told(client, "releases", family="v*")
    assert [one["tag"] for one in listed["releases"]] == ["v1.0.0", "v1.0.1", "v2.0.0"]
    assert [one["scheme"] for one in listed["families"]] == ["semantic"]
    assert client.get(f"{WIDGET}/releases", params={"family": "x"}).status_code == 404


def test_a_request_can_be_asked_as_of_a_moment(client: Client) -> None:
    then = told(client, "releases", as_of="2026-03-05T12:00:00Z")
    assert [one["tag"] for one in then["releases"]] == ["v1.0.0"]
    assert then["as_of"] == "2026-03-05T12:00:00Z"


@pytest.mark.parametrize("path", ["releases", "releases/v1.0.1", "pulls/3/releases"])
def test_a_settled_answer_has_an_etag_and_is_not_sent_twice(client: Client, path: str) -> None:
    first = client.get(f"{WIDGET}/{path}")
    tag = first.headers["etag"]
    again = client.get(f"{WIDGET}/{path}", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(f"{WIDGET}/{path}", params={"format": "html"})
    assert other.headers["etag"] != tag


@pytest.mark.parametrize("path", ["releases", "releases/v1.0.1", "pulls/3/releases"])
@pytest.mark.parametrize("form", ["html", "md"])
def test_answers_come_as_a_page_and_as_markdown(client: Client, path: str, form: str) -> None:
    answer = client.get(f"{WIDGET}/{path}", params={"format": form})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(f"text/{'html' if form == 'html' else 'mark'}")


@pytest.mark.parametrize(
    ("path", "params", "status", "words"),
    [
        ("releases/v9", {}, 404, "no tag v9"),
        ("releases/main", {}, 400, "branches move"),
        ("releases", {"format": "pdf"}, 400, "there are: md, txt, html, json"),
        ("releases", {"as_of": "2026-03-05"}, 400, "offset"),
        ("pulls/77/releases", {}, 404, "nothing is recorded of #77"),
    ],
)
def test_what_cannot_be_answered_says_what_to_ask_instead(
    client: Client, path: str, params: dict[str, str], status: int, words: str
) -> None:
    answer = client.get(f"{WIDGET}/{path}", params=params)
    assert answer.status_code == status
    assert words in answer.json()["message"]


def test_the_first_page_links_to_the_releases(client: Client) -> None:
    assert f'href="{WIDGET}/releases?format=html"' in client.get("/").text
