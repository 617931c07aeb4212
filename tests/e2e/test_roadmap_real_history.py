"""The roadmap of 46 items with the real history: its statuses as of 22 August 2026.

Facts end on that day, and the claims are of October; from git alone open, draft and closed
requests are unknown, merged ones are not. Every line of the table was read by eye.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from services.cli.commands import cli
from tests.places import ROOT
from tests.real_history import NAME, NewFolder

HERE = (ROOT / "tests") / "projections" / "roadmap_status"
AS_OF = "2026-08-22T23:59:59Z"
ISSUE = "5676"


def run(*arguments: str, data: Path) -> str:
    result = CliRunner().invoke(cli, [*arguments, "--data", str(data)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def data(imported_history: NewFolder) -> Path:
    folder = imported_history()
    arguments = ("--repo", NAME, "--issue", ISSUE, "--at", "2026-08-20T00:00:00Z")
    title = "[ROADMAP][2026 Q3] Core"
    run("import", "roadmap", str(HERE / "q3.md"), *arguments, "--title", title, data=folder)
    return folder


def row(item: dict[str, Any]) -> dict[str, str]:
    claim = item["claim"]
    on = f" on {' '.join(claim['branches'])}" if claim["branches"] else ""
    merged = [
        link["link"]
        for link in item["links"]
        if link["role"] == "implementing" and link["state"] == "merged"
    ]
    return {
        "item": item["title"],
        "claim": f"{claim['state']}{on}",
        "status": f"{'at least ' if item['at_least'] else ''}{item['status']}",
        "branches": " ".join(name for name in ("main", "dev") if name in item["branches"]),
        "merged": " ".join(merged),
        "first release": item["releases"][0] if item["releases"] else "",
        "drift": " ; ".join(drift["kind"] for drift in item["drift"]),
    }


def test_the_statuses_of_46_items_are_those_of_the_table(data: Path) -> None:
    text = run("roadmap", NAME, ISSUE, "--as-of", AS_OF, "--format", "json", data=data)
    with (HERE / "q3_status_2026-08-22.csv").open(newline="") as file:
        expected = list(csv.DictReader(file))
    assert len(expected) == 46
    assert all(len(line.pop("reason")) > 15 for line in expected)
    assert [row(item) for item in json.loads(text)["items"]] == expected


def test_delivered_items_are_found_by_their_words_with_their_release(data: Path) -> None:
    text = run("roadmap", NAME, ISSUE, "--words", "gated delta", "--as-of", AS_OF, data=data)
    assert "after the cut of core_v0.19.0" in text
    assert "| core_v0.18.0 |" in text


def test_nothing_is_proposed_where_nothing_is_proved_wrong(data: Path) -> None:
    assert run("roadmap", NAME, ISSUE, "--propose", "--as-of", AS_OF, data=data) == ""
