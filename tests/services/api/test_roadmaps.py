"""Roadmaps over HTTP, through the real routes."""

import pytest

from services.simulator import World
from tests.services.api.test_questions import Api, Client

ROADMAPS = "/v1/repositories/acme/widget/roadmaps"


@pytest.fixture(scope="module")
def client(small_world: World) -> Client:
    return Api(small_world).client()


@pytest.fixture(scope="module")
def number(client: Client) -> int:
    found = client.get(ROADMAPS).json()["roadmaps"]
    assert found
    first: int = found[0]["number"]
    return first


def test_a_roadmap_and_all_that_is_asked_of_it(client: Client, number: int) -> None:
    shown = client.get(f"{ROADMAPS}/{number}").json()
    assert shown["items"]
    assert shown["roadmap"]["tested_on"] == "main"
    drifting = client.get(f"{ROADMAPS}/{number}", params={"drift": "true"}).json()
    assert all(item["drift"] for item in drifting["items"])
    for part, key in (("series", "points"), ("releases", "items"), ("lineage", "steps")):
        assert key in client.get(f"{ROADMAPS}/{number}/{part}").json()
    span = {"from": "2026-05-01T00:00:00Z", "to": "2026-06-10T00:00:00Z"}
    assert "changes" in client.get(f"{ROADMAPS}/{number}/changes", params=span).json()
    patch = client.get(f"{ROADMAPS}/{number}/proposal")
    assert patch.headers["content-type"].startswith("text/x-diff")


@pytest.mark.parametrize("form", ["md", "csv", "html"])
def test_a_roadmap_comes_in_every_form(client: Client, number: int, form: str) -> None:
    answer = client.get(f"{ROADMAPS}/{number}", params={"format": form})
    assert answer.status_code == 200
    assert answer.text


@pytest.mark.parametrize(
    ("path", "params", "status"),
    [
        ("/99999", {}, 404),
        ("/abc", {}, 400),
        ("", {"format": "pdf"}, 400),
        ("", {"as_of": "2026-06-03"}, 400),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(
    client: Client, path: str, params: dict[str, str], status: int
) -> None:
    answer = client.get(f"{ROADMAPS}{path}", params=params)
    assert answer.status_code == status
    assert answer.json()["message"]


def test_a_settled_answer_is_not_sent_twice(client: Client, number: int) -> None:
    first = client.get(f"{ROADMAPS}/{number}")
    again = client.get(f"{ROADMAPS}/{number}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
