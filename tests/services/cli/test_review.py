"""`review --period`: what may be one change is listed, answered, and then told so."""

import json
from pathlib import Path

import pytest

from events.errors import NotFound
from tests.services.intake.git.sandbox import Sandbox
from tests.services_fixtures import Run

PERIOD = ("--period", "2026-07")


@pytest.fixture
def imported(shipledger: Run, tmp_path: Path) -> Run:
    """Two requests with one title that change partly other files, on two branches."""
    repo = Sandbox(tmp_path / "repo")
    repo.commit("Begin", a="1", b="1", c="1")
    repo.git("branch", "release/1.0")
    repo.commit("Keep the last line of each file (#5)", a="2", b="2")
    repo.git("switch", "-q", "release/1.0")
    repo.commit("Keep the last line of each file (#6)", a="3", c="3")
    repo.git("switch", "-q", "main")
    shipledger("import", "git", str(repo.path), "--repo", "acme/tool")
    return shipledger


def told(run: Run) -> list[list[int]]:
    edition = json.loads(run("edition", "acme/tool", *PERIOD, "--format", "json").stdout)
    changes = [one for theme in edition["themes"] for one in theme["changes"]]
    changes += edition["left_over"]["delivered"]
    return sorted([request["number"] for request in one["requests"]] for one in changes)


def test_a_pair_in_doubt_is_named_with_its_reason_and_joined_when_it_is_confirmed(
    imported: Run,
) -> None:
    assert told(imported) == [[5], [6]]
    draft = imported("edition", "acme/tool", *PERIOD)
    assert "one change? #6 and #5 (equal title): the changed paths differ" in draft.stderr
    shown = imported("review", "acme/tool", *PERIOD).stdout
    assert "[release/1.0 #6, merged] Keep the last line of each file" in shown
    (pair,) = json.loads(imported("review", "acme/tool", *PERIOD, "--json").stdout)["waiting"]
    assert (pair["number"], pair["of"], pair["doubt"]) == (6, 5, "the changed paths differ")
    done = imported("review", "acme/tool", "confirm", pair["id"], *PERIOD, "--author", "ada")
    assert done.stdout == f"{pair['id']} (#5 and #6) is confirmed by ada\n"
    assert told(imported) == [[5, 6]]
    assert json.loads(imported("review", "acme/tool", *PERIOD, "--json").stdout) == {"waiting": []}


def test_a_rejected_pair_is_told_apart_and_not_asked_for_again(imported: Run) -> None:
    (pair,) = json.loads(imported("review", "acme/tool", *PERIOD, "--json").stdout)["waiting"]
    imported("review", "acme/tool", "reject", pair["id"], *PERIOD)
    assert told(imported) == [[5], [6]]
    assert "one change?" not in imported("edition", "acme/tool", *PERIOD).stderr
    again = imported("review", "acme/tool", "reject", pair["id"], *PERIOD)
    assert isinstance(again.exception, NotFound)
