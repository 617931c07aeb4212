"""What changed between two known times, over HTTP; and receipts in reports."""

import json
from typing import Any

import pytest

from projections.store.snapshot import Snapshot
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.question import ReportQuestion
from services.audit.receipts import decode
from services.audit.restatements import Before, compare
from services.simulator import World
from services.stream.stores import Stores
from tests.services.answers.editions.releases.desk import configured
from tests.services.api.test_questions import JUNE, REPORT, Api, Client

COMPARE = f"{REPORT}/compare"
THEN = {"compare_known_at": "2026-06-15T00:00:00Z"}


@pytest.fixture(scope="module")
def client(small_world: World) -> Client:
    return Api(small_world).client()


def test_the_moves_of_each_count_add_up_to_its_difference(client: Client) -> None:
    told = client.get(COMPARE, params={**JUNE, **THEN}).json()
    then = client.get(REPORT, params={**JUNE, "known_at": THEN["compare_known_at"]}).json()
    now = client.get(REPORT, params=JUNE).json()
    raw = {row["count"]: row for row in told["changes"] if row["basis"] == "raw"}
    assert raw["opened"]["difference"] == now["counts"]["opened"] - then["counts"]["opened"] > 0
    for row in told["changes"]:
        assert len(row["in"]) - len(row["out"]) == row["difference"]
        assert row["unlisted"] == 0
    assert {row["cause"]["kind"] for row in told["requests"]} == {"later event"}
    text = client.get(COMPARE, params={**JUNE, **THEN, "format": "md"})
    assert text.headers["content-type"].startswith("text/markdown")
    assert text.text.startswith("# What changed: acme/widget")


@pytest.mark.parametrize(
    ("params", "status", "words"),
    [
        (JUNE, 400, "say what to compare with"),
        ({**JUNE, **THEN, "compare_edition": "x"}, 400, "say what to compare with"),
        ({**JUNE, "compare_edition": "pyproject.toml"}, 404, "neither a file nor an edition"),
        ({**JUNE, **THEN, "format": "csv"}, 400, "there are: json, md"),
        ({**JUNE, **THEN, "known_at": "2026-06-10T00:00:00Z"}, 400, "known earlier"),
    ],
)
def test_what_cannot_be_compared_is_told(
    client: Client, params: dict[str, str], status: int, words: str
) -> None:
    answer = client.get(COMPARE, params=params)
    assert (answer.status_code, words in answer.json()["message"]) == (status, True), answer.text


def test_what_is_configured_for_releases_holds_in_a_comparison_too(
    small_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, asked = Api(small_world), list[ReportQuestion]()
    api.settings = configured(**{"26.07": "core_v0.1.0"})

    def compared(
        stores: Stores, snapshot: Snapshot, question: ReportQuestion, before: Before
    ) -> Any:
        asked.append(question)
        return compare(stores, snapshot, question, before)

    monkeypatch.setattr("services.api.report.compare", compared)
    assert api.client().get(COMPARE, params={**JUNE, **THEN}).status_code == 200
    assert asked[0] == QuestionBuilder(api.settings).report(
        QuestionRequest(repository="acme/widget", start=JUNE["from"], end=JUNE["to"])
    )
    assert asked[0].aliases == {"26.07": "core_v0.1.0"}


def test_a_report_carries_its_receipt(client: Client) -> None:
    report = client.get(REPORT, params=JUNE).json()
    receipt = decode(json.dumps(report["receipt"]).encode())
    assert receipt.known_at == report["known_at"]
    assert receipt.rules == {"exclusions": report["basis"]["rules"]}
    page = client.get(REPORT, params={**JUNE, "format": "html"}).text
    assert "<p>Receipt: content sha256" in page
