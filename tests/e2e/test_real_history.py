"""A real project's month from its clone, through the command line, in any zone of the process."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real_history import NAME, NewFolder
from tests.service_process import command

JULY = ("--from", "2026-07-01", "--to", "2026-08-01", "--tz", "Asia/Shanghai")
QUESTION = (*JULY, "--json", "--no-themes")


@pytest.fixture(scope="module")
def ledger(imported_history: NewFolder) -> Path:
    """A data folder with the imported history."""
    return imported_history()


def report(data: Path, zone: str) -> dict[str, Any]:
    done = command("report", NAME, *QUESTION, data=data, more={"TZ": zone})
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_july_2026_is_a_lower_bound_close_to_the_published_figure(ledger: Path) -> None:
    answer = report(ledger, "UTC")
    assert (answer["counts"]["merged"], answer["quality"]["merged"]) == (248, "at_least")
    assert (answer["counts"]["opened"], answer["counts"]["closed_without_merge"]) == (None, None)
    assert answer["coverage"]
    for zone in ("America/Los_Angeles", "Asia/Kolkata", "Asia/Shanghai"):
        other = report(ledger, zone)
        assert (other["counts"], other["ledger"]) == (answer["counts"], answer["ledger"])
