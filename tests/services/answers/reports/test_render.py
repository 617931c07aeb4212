"""The report in every format: the same figures, and nothing from outside that acts."""

import csv
import io
import json
import re
from typing import Any

import pytest

from events.errors import InvalidQuestion
from projections.period_ledger.counting import DEFINITIONS
from services.answers.reports.life_forms import life_forms
from services.documents.forms import MEDIA_TYPES, render
from tests.answers import plain, report_text
from tests.builders import pull_request
from tests.lab import Lab, created, heard

HOSTILE = "<script>alert(1)</script> [x](javascript:1) | @dev-b `=1` **#9**\n# not a heading"


@pytest.fixture(scope="module")
def lab() -> Lab:
    merged: dict[str, Any] = {"merged": True, "merged_at": "07-09", "closed_at": "07-09"}
    return Lab(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02", title=HOSTILE)),
            ("07-03", pull_request("b", 2, "opened", "07-03", title="=SUM(A1)")),
            (
                "07-09",
                pull_request(
                    "c", 1, "closed", "07-09", title=HOSTILE, created_at="07-02", **merged
                ),
            ),
            heard("07-31"),
        ]
    )


def test_the_head_is_the_one_that_is_published(lab: Lab) -> None:
    text = report_text(lab.report("2026-07-01", "2026-08-01", tz="Asia/Shanghai"), "md")
    assert text.splitlines()[:7] == [
        "# widget Monthly Activity Report — July 2026",
        "",
        "Period: 2026-07-01 through 2026-07-31 (Asia/Shanghai); source: acme/widget.",
        "",
        "- PRs opened: 2; merged during the period: 1; closed without merge: 0; "
        "still open at period end: 1.",
        "- Excluded from the narrative: test-only 0, CI-only 0, test/CI-only 0, format-only 0.",
        "- open at start: 0; reopened: 0; closed with unknown outcome: 0; open at end: 1; "
        "active and open at end: 1.",
    ]


def test_the_json_names_the_record_behind_every_row(lab: Lab) -> None:
    document = json.loads(report_text(lab.report("2026-07-01", "2026-08-01"), "json"))
    assert list(document["counts"]) == list(document["quality"]) == list(DEFINITIONS)
    assert document["counts"]["merged"] == 1
    assert document["quality"]["merged"] == "exact"
    assert document["balance"] == {"difference": 0, "balanced": True}
    assert [doubt["kind"] for doubt in document["coverage"]] == ["unheard"]
    assert [row["record"] for row in document["ledger"]["merged"]] == ["c"]
    assert document["ledger"]["merged"][0]["title"] == HOSTILE
    assert document["by_base"]["main"]["opened"] == 2
    for name in ("as_of", "known_at", "settled"):
        assert name in document


def test_every_row_of_the_csv_is_one_request_in_one_count(lab: Lab) -> None:
    rows = list(
        csv.DictReader(io.StringIO(report_text(lab.report("2026-07-01", "2026-08-01"), "csv")))
    )
    assert [row["number"] for row in rows if row["count"] == "opened"] == ["1", "2"]
    assert next(row["title"] for row in rows if row["number"] == "2") == "'=SUM(A1)"


def test_a_title_stays_text_on_the_page(lab: Lab) -> None:
    page = report_text(lab.report("2026-07-01", "2026-08-01"), "html")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "href" not in page


def test_a_title_stays_text_in_markdown(lab: Lab) -> None:
    text = report_text(lab.report("2026-07-01", "2026-08-01"), "md")
    line = next(line for line in text.splitlines() if line.startswith("- #1 "))
    assert r"\<script\>" in line
    assert "@dev-b" not in line
    assert "not a heading" in line


@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_a_report_is_the_same_each_time(lab: Lab, name: str) -> None:
    report = lab.report("2026-07-01", "2026-08-01")
    assert report_text(report, name) == report_text(lab.report("2026-07-01", "2026-08-01"), name)


def test_an_unknown_format_is_answered_with_those_there_are(lab: Lab) -> None:
    with pytest.raises(InvalidQuestion, match="md, txt, html, json, csv"):
        report_text(lab.report("2026-07-01", "2026-08-01"), "pdf")


def test_the_life_of_a_request_shows_both_clocks_and_its_evidence(lab: Lab) -> None:
    life = lab.life(1)
    document = plain(life_forms(life))
    assert document["state"] == "merged"
    assert [row["enter"] for row in document["states"]] == ["opened", "merged"]
    assert [row["record"] for row in document["states"]] == ["a", "c"]
    assert next(row["known_from"] for row in document["known_history"]) == "2026-07-02T00:00:00Z"
    text = render(life_forms(life), "txt")
    assert re.search(r"2026-07-09T00:00:00Z +merged +\w+ +c", text)
    assert "base main" in text
