"""What changed between two known times, over HTTP; and receipts in reports."""

import json

import pytest

from services.audit.receipts import decode
from services.simulator import World
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


def test_a_report_carries_its_receipt(client: Client) -> None:
    report = client.get(REPORT, params=JUNE).json()
    receipt = decode(json.dumps(report["receipt"]).encode())
    assert receipt.known_at == report["known_at"]
    assert receipt.rules == {"exclusions": report["basis"]["rules"]}
    page = client.get(REPORT, params={**JUNE, "format": "html"}).text
    assert "<p>Receipt: content sha256" in page
