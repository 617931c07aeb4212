"""Editions over HTTP, through the real routes."""

from pathlib import Path

import pytest

from services.answers.editions.reading import read_edition
from services.config.repository import RepositorySettings
from services.config.settings import Decided, Settings
from services.simulator import simulate
from tests.lab import Lab
from tests.services.answers.editions.desk import SMALL
from tests.services.answers.editions.test_notes import BODY, QUOTE, arrivals
from tests.services.api.test_questions import Api, Client

WIDGET = "/v1/repositories/acme/widget"


@pytest.fixture(scope="module")
def client() -> Client:
    return Api(simulate(5, pulls=40, days=90)).client()


def test_an_edition_is_drafted_and_not_kept(client: Client) -> None:
    answer = client.get(f"{WIDGET}/edition", params={"period": "2026-06"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    document = answer.json()
    assert document["title"]["en"] == "widget Monthly Activity Report — June 2026"
    told = {number for theme in document["themes"] for number in theme["pulls"]}
    assert set(document["reconciliation"]["told"]) <= told


@pytest.mark.parametrize("form", ["md", "txt"])
def test_it_comes_in_both_languages_with_the_same_figures(client: Client, form: str) -> None:
    asked = {"period": "2026-06", "format": form}
    texts = [
        client.get(f"{WIDGET}/edition", params={**asked, "language": language}).text
        for language in ("en", "zh")
    ]
    english, chinese = map(read_edition, texts)
    assert (english.language, chinese.language) == ("en", "zh")
    assert english.figures == chinese.figures


def test_notes_for_the_writer_come_where_they_are_asked_for() -> None:
    api = Api(simulate(5, pulls=4, days=30))
    api.model = Lab(arrivals(BODY)).model
    widget = RepositorySettings(name="acme/widget", themes=SMALL)
    api.settings = Settings(data=Path("unused"), decided=Decided(repositories=(widget,)))
    asked = {"period": "2026-07", "format": "md"}
    plain = api.client().get(f"{WIDGET}/edition", params=asked).text
    noted = api.client().get(f"{WIDGET}/edition", params={**asked, "notes": "true"}).text
    assert QUOTE not in plain
    assert f"> - “{QUOTE}” (#1; Not tested)" in noted


def test_a_quarter_has_an_edition_of_its_own(client: Client) -> None:
    answer = client.get(f"{WIDGET}/edition", params={"period": "2026-Q2", "format": "txt"})
    assert answer.text.startswith("widget Quarterly Activity Report — Q2 2026\n")


def test_nothing_was_published_or_decided_yet(client: Client) -> None:
    assert client.get(f"{WIDGET}/editions").json() == {"editions": []}
    assert client.get(f"{WIDGET}/curation").json() == {"decisions": []}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "give either --period or --releases"),
        ({"period": "2026-06", "format": "pdf"}, "unknown format"),
        ({"period": "2026-06", "language": "fr"}, "language"),
        ({"releases": "v1"}, "FIRST..SECOND"),
        ({"releases": "v1..v2", "period": "2026-06"}, "give either --period or --releases"),
    ],
)
def test_a_wrong_question_is_answered_with_the_right_one(
    client: Client, asked: dict[str, str], says: str
) -> None:
    answer = client.get(f"{WIDGET}/edition", params=asked)
    assert answer.status_code == 400
    assert says in answer.json()["message"]


def test_what_may_be_one_change_is_listed_for_a_period(client: Client) -> None:
    answer = client.get(f"{WIDGET}/review", params={"period": "2026-06"})
    assert answer.status_code == 200, answer.text
    edition = client.get(f"{WIDGET}/edition", params={"period": "2026-06"}).json()
    assert answer.json()["waiting"] == edition["may_be_one_change"]
    assert client.get(f"{WIDGET}/review", params={"period": "June"}).status_code == 400
