"""The commands about roadmaps, on a small real repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from events.errors import InvalidQuestion, NotFound
from tests.services.intake.git.sandbox import Sandbox
from tests.services_fixtures import Run

WIDGET = "acme/widget"
TEXT = """# Plan

* **First thing** — planned
  * #1
* **Second <b>thing</b>** — delivered on main
  * #2
* **Third** — delivered
* [ ] **Boxed** #1
"""
ANY_TIME = "2024-06-01T00:00:00Z"


@pytest.fixture
def asked(shipledger: Run, tmp_path: Path) -> Run:
    """A folder with #1 on main and in v1.0.0, #2 on dev, and roadmap #50 with two editions."""
    repo = Sandbox(tmp_path / "widget")
    repo.commit("Add a (#1)", a="1")
    repo.git("tag", "v1.0.0")
    repo.git("checkout", "-q", "-b", "dev")
    repo.commit("Add b (#2)", b="1")
    repo.git("checkout", "-q", "main")
    done = shipledger("import", "git", "widget", "--repo", WIDGET)
    assert done.exit_code == 0, done.output
    edition(shipledger, tmp_path, "# Plan\n\n* **First thing** — planned\n  * #1\n", "2024-05-01")
    edition(shipledger, tmp_path, TEXT, "2024-06-01")
    return shipledger


def edition(run: Run, folder: Path, text: str, day: str) -> None:
    (folder / "plan.md").write_text(text)
    at = f"{day}T00:00:00Z"
    arguments = ("--repo", WIDGET, "--issue", "50", "--at", at, "--title", "[ROADMAP] Plan")
    done = run("import", "roadmap", str(folder / "plan.md"), *arguments)
    assert done.exit_code == 0, (done.output, done.exception)


def told(run: Run, *arguments: str) -> Any:
    done = run("roadmap", WIDGET, *arguments, "--format", "json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(done.stdout)


def test_a_roadmap_is_told_item_by_item(asked: Run) -> None:
    found = told(asked, "50")
    first, second, third, boxed = found["items"]
    assert {
        *("id", "title", "section", "claim", "status", "branches", "releases", "links"),
        *("drift", "hints", "since", "evidence"),
    } <= first.keys()
    assert (first["status"], first["branches"], first["releases"]) == (
        "delivered",
        ["main", "dev"],
        ["v1.0.0"],
    )
    assert [one["kind"] for one in first["drift"]] == ["delivered, claimed open"]
    assert [one["kind"] for one in second["drift"]] == ["claimed delivered, only on another branch"]
    assert third["hints"][0]["kind"] == "asserted without any link"
    assert boxed["drift"][0]["kind"] == "delivered, claimed open"
    assert all(one["record"] for one in first["drift"])
    assert [one["title"] for one in told(asked, "--drift")["items"]] == [
        first["title"],
        second["title"],
        boxed["title"],
    ]


def test_raw_html_is_never_handed_on(asked: Run) -> None:
    done = asked("roadmap", WIDGET, "50", "--format", "html")
    assert done.exit_code == 0
    assert "<b>" not in done.stdout
    assert "<script" not in done.stdout


def test_a_proposal_changes_status_words_alone(asked: Run) -> None:
    patch = asked("roadmap", WIDGET, "50", "--propose").stdout
    changed = [line for line in patch.splitlines() if line[:1] in "+-"][2:]
    assert changed == [
        "-* **First thing** — planned",
        "+* **First thing** — delivered on main and dev",
        "-* **Second <b>thing</b>** — delivered on main",
        "+* **Second <b>thing</b>** — delivered on dev",
        "-* [ ] **Boxed** #1",
        "+* [x] **Boxed** #1",
    ]
    assert patch.startswith("# for the text ")


def test_a_drift_is_acknowledged_by_its_digest(asked: Run) -> None:
    digest = told(asked, "50")["items"][0]["drift"][0]["digest"]
    why = ("--reason", "known", "--author", "dev-a")
    done = asked("roadmap", "acknowledge", WIDGET, digest[:8], *why)
    assert done.exit_code == 0, (done.output, done.exception)
    quiet = told(asked, "50")["items"][0]["drift"][0]["acknowledged"]
    assert (quiet["author"], quiet["reason"]) == ("dev-a", "known")
    asked("roadmap", "acknowledge", WIDGET, digest, *why, "--withdraw")
    assert told(asked, "50")["items"][0]["drift"][0]["acknowledged"] is None
    refused = asked("roadmap", "acknowledge", WIDGET, "ffff", *why)
    assert isinstance(refused.exception, NotFound)


def test_a_person_decides_what_a_link_is(asked: Run) -> None:
    own = told(asked, "50")["items"][1]["id"]
    why = ("--reason", "compared with", "--author", "dev-a")
    done = asked(
        "roadmap", "decide", WIDGET, "50", own[:10], "--link", "#2", *why, "--role", "mention"
    )
    assert done.exit_code == 0, (done.output, done.exception)
    item = told(asked, "50")["items"][1]
    assert (item["links"][0]["role"], item["links"][0]["decided_by"]) == ("mention", "dev-a")
    other = ("--link", "#9", "--role", "mention")
    refused = asked("roadmap", "decide", WIDGET, "50", own, *other, *why)
    assert isinstance(refused.exception, InvalidQuestion)


def test_editions_are_compared_and_told_over_time(asked: Run) -> None:
    span = ("2024-05-02T00:00:00Z", "2024-07-01T00:00:00Z")
    changes = told(asked, "50", "--changes", *span)["changes"]
    assert [one["kind"] for one in changes] == ["added", "added", "added"]
    points = told(asked, "50", "--series", "--days", "3000")["points"]
    assert points[-1]["items"] == 4
    rows = told(asked, "50", "--matrix", "--words", "first")["items"]
    assert [(one["title"], one["first_release"]) for one in rows] == [("First thing", "v1.0.0")]


def test_without_an_issue_all_are_listed_and_the_only_one_is_meant(
    asked: Run, tmp_path: Path
) -> None:
    assert "First thing" in asked("roadmap", WIDGET).stdout
    (tmp_path / "other.md").write_text("* One\n")
    more = ("--repo", WIDGET, "--issue", "51", "--at", ANY_TIME)
    asked("import", "roadmap", str(tmp_path / "other.md"), *more)
    listed = told(asked)["roadmaps"]
    assert [one["number"] for one in listed] == [50, 51]
    assert isinstance(asked("roadmap", WIDGET, "7").exception, NotFound)


def test_rows_are_no_formulas(asked: Run) -> None:
    lines = asked("roadmap", WIDGET, "50", "--format", "csv").stdout.splitlines()
    assert lines[0].startswith("id,section,title,claim")
    assert len(lines) == 5
