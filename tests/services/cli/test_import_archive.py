"""`shipledger import gharchive`, as a person uses it."""

import json
from pathlib import Path

import pytest

from events.errors import ConfigurationError, InvalidQuestion
from services.simulator import simulate
from services.simulator.counts import counts
from tests.archives import at_hour, filler, lines_by_hour, write
from tests.services_fixtures import Run

pytestmark = pytest.mark.usefixtures("data")


def test_a_month_of_files_gives_the_report_of_the_month(shipledger: Run, tmp_path: Path) -> None:
    world = simulate(4, pulls=30, days=10, start=at_hour("2020-08-05-0"))
    files = [write(tmp_path, hour, events) for hour, events in lines_by_hour(world).items()]
    done = shipledger("import", "gharchive", *map(str, files), "--repo", "acme/widget")
    assert done.exit_code == 0, done.output
    assert f"{len(files)} files" in done.output
    assert "give --repo-id 1001" in done.output
    asked = shipledger("report", "acme/widget", "--period", "2020-08", "--json")
    assert asked.exit_code == 0, asked.output
    truth = counts(world.truth.pulls, at_hour("2020-08-01-0"), at_hour("2020-09-01-0"))
    found = json.loads(asked.stdout)["counts"]
    for name in ("opened", "merged", "closed_without_merge"):
        assert found[name] == truth[name]


def test_a_hole_is_named_in_the_command_and_in_the_report(shipledger: Run, tmp_path: Path) -> None:
    hours = [at_hour("2020-08-21-8"), at_hour("2020-08-23-16")]
    files = [write(tmp_path, hour, list(filler(hour))) for hour in hours]
    event = {
        "id": "77",
        "type": "IssuesEvent",
        "repo": {"id": 1001, "name": "acme/widget"},
        "created_at": "2020-08-21T08:10:00Z",
        "payload": {"action": "opened", "issue": {"number": 3, "title": "x", "state": "open",
                    "created_at": "2020-08-21T08:10:00Z", "updated_at": "2020-08-21T08:10:00Z"}},
    }  # fmt: skip
    write(tmp_path, hours[0], [event, *filler(hours[0])])
    done = shipledger("import", "gharchive", *map(str, files), "--repo", "acme/widget")
    assert "not known: 2020-08-21T09:00:00Z until 2020-08-23T16:00:00Z: the file is missing" in (
        done.output
    )
    asked = shipledger("report", "acme/widget", "--period", "2020-08")
    assert "GH Archive: the file is missing" in asked.output


def test_what_cannot_be_done_is_refused(shipledger: Run, tmp_path: Path) -> None:
    hour = at_hour("2020-08-21-8")
    path = str(write(tmp_path, hour, list(filler(hour))))
    nobody = shipledger("import", "gharchive", path)
    assert isinstance(nobody.exception, ConfigurationError)
    assert "--repo" in str(nobody.exception)
    several = shipledger(
        "import", "gharchive", path, "--repo", "a/b", "--repo", "a/c", "--repo-id", "5"
    )
    assert isinstance(several.exception, ConfigurationError)
    old = shipledger("import", "gharchive", str(tmp_path / "2013-01-01-0.json.gz"), "--repo", "a/b")
    assert isinstance(old.exception, InvalidQuestion)
