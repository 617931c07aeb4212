"""The commands on a data folder without `up`."""

import json
from pathlib import Path

import pytest

from projections.engine.catalog import PROJECTIONS
from services.simulator import World
from services.simulator.shapes import SHAPES
from tests.services_fixtures import Run

JULY = ("--from", "2026-07-01", "--to", "2026-08-01")


@pytest.fixture
def imported(shipledger: Run, small_world: World, tmp_path: Path) -> Run:
    """A folder into which the simulated repository's history was imported by name."""
    small_world.build_repository(tmp_path / "widget.git")
    done = shipledger("import", "git", "widget.git", "--repo", "acme/widget")
    assert done.exit_code == 0, done.output
    return shipledger


def test_from_git_alone_merged_is_a_lower_bound_and_the_rest_is_unknown(imported: Run) -> None:
    report = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    assert report["quality"]["merged"] == "at_least"
    assert report["counts"]["merged"] > 0
    assert report["counts"]["opened"] is None
    assert report["coverage"]


@pytest.mark.parametrize("form", ["md", "html", "csv"])
def test_a_report_comes_in_every_format(imported: Run, form: str) -> None:
    done = imported("report", "acme/widget", *JULY, "--format", form)
    assert done.exit_code == 0
    assert "acme/widget" in done.stdout or form == "csv"


def test_importing_again_stores_nothing_new(imported: Run) -> None:
    done = imported("import", "git", "widget.git", "--repo", "acme/widget", "--json")
    result = json.loads(done.stdout)
    assert (result["commits"], result["refs"], result["records"]) == (0, 0, 0)


def test_joining_lets_history_go_on_under_an_id_and_joining_again_copies_nothing(
    imported: Run,
) -> None:
    before = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    join = ("repositories", "join", "github.com/name:acme/widget", "github.com/1001", "--json")
    first, second = (json.loads(imported(*join).stdout) for _ in range(2))
    assert first["copied"] == first["records"] > 0
    assert second["copied"] == 0
    after = json.loads(imported("report", "github.com/1001", *JULY, "--json").stdout)
    assert after["counts"] == before["counts"]


def test_a_pull_request_is_told_as_text_and_as_json(imported: Run) -> None:
    report = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    row = report["ledger"]["merged"][0]
    told = json.loads(imported("pr", "acme/widget", str(row["number"]), "--json").stdout)
    assert told["state"] == "merged"
    assert row["record"] in imported("pr", "acme/widget", str(row["number"])).stdout
    record = json.loads(imported("log", "show", told["repository"]["key"], row["record"]).stdout)
    assert record["id"] == row["record"]
    assert record["facts"]


def test_the_log_goes_to_a_file_and_back_with_its_stamps(
    imported: Run, tmp_path: Path, data: Path
) -> None:
    assert imported("log", "export", "ledger.jsonl.gz").exit_code == 0
    other = str(tmp_path / "other")
    done = json.loads(
        imported("log", "import", "ledger.jsonl.gz", "--data", other, "--json").stdout
    )
    assert done["kept_stamps"] is True
    here, there = (
        imported("log", "tail", "-n", "1000", "--json", "--data", folder).stdout
        for folder in (str(data), other)
    )
    assert here == there
    assert len(here.splitlines()) == done["entries"]


def test_a_backup_is_a_log_of_its_own(imported: Run, tmp_path: Path) -> None:
    assert imported("backup", "copy.sqlite").exit_code == 0
    restored = tmp_path / "restored"
    restored.mkdir()
    (tmp_path / "copy.sqlite").rename(restored / "log.sqlite")
    question = ("report", "acme/widget", *JULY, "--json")
    answers = [
        json.loads(imported(*question, *more).stdout)["ledger"]
        for more in ((), ("--data", str(restored)))
    ]
    assert answers[0] == answers[1]


def test_a_rebuild_changes_no_row(imported: Run) -> None:
    imported("repositories", "list")
    for projection, _ in PROJECTIONS:
        done = json.loads(imported("projections", "rebuild", projection, "--json").stdout)
        assert done["switched"] is True
        assert done["differing"] == 0
    status = json.loads(imported("projections", "status", "--json").stdout)["projections"]
    assert [each["generation"] for each in status] == [2] * len(PROJECTIONS)
    assert all(part["position"] == part["end"] for each in status for part in each["partitions"])


def test_nothing_is_set_aside_and_the_doctor_finds_no_fault(imported: Run) -> None:
    assert imported("deadletters", "list").stdout == "nothing is set aside\n"
    done = imported("doctor", "--deep", "--json")
    assert json.loads(done.stdout)["faults"] == 0, done.stdout


def test_the_doctor_names_a_damaged_log(imported: Run, data: Path) -> None:
    path = data / "log.sqlite"
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)
    done = imported("doctor", "--deep", "--json")
    findings = json.loads(done.stdout)["findings"]
    assert any(each["verdict"] == "fault" and each["check"] == "log" for each in findings)


def test_the_doctor_looks_at_an_empty_machine_and_changes_nothing(
    shipledger: Run, data: Path
) -> None:
    done = shipledger("doctor", "--json")
    assert json.loads(done.stdout)["faults"] == 0
    assert not data.exists()


def test_equal_seeds_write_equal_worlds(shipledger: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert shipledger("simulate", "--seed", "3", "--out", name, "--pulls", "5").exit_code == 0
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in sorted((tmp_path / name / "deliveries").iterdir())
        }
        for name in ("one", "two")
    )
    assert [path.name for path in one] == [path.name for path in two]
    assert list(one.values()) == list(two.values())


def test_a_world_has_the_shapes_that_are_asked_for(shipledger: Run, tmp_path: Path) -> None:
    def pulls(*shapes: str) -> int:
        out = f"world{len(list(tmp_path.iterdir()))}"
        done = shipledger(
            "simulate", "--seed", "3", "--out", out, "--pulls", "5", "--json", *shapes
        )
        assert done.exit_code == 0, done.output
        counted: int = json.loads(done.stdout)["pull_requests"]
        return counted

    plain, backported = pulls(), pulls("--shapes", "backports")
    assert plain < backported < pulls("--shapes", " All")
    several = pulls("--shapes", "backports, merge robots,fork-numbers")
    assert several == pulls("--shapes", "fork-numbers,backports,merge-robots") > backported
    done = shipledger("simulate", "--seed", "3", "--out", "no", "--shapes", "backports,forks")
    assert done.exit_code != 0
    assert "'forks' is no shape; known: all, fork-numbers, backports," in str(done.exception)
    assert not (tmp_path / "no").exists()
    helped = shipledger("simulate", "--help").stdout
    assert all(f" {shape.replace(' ', '-')} " in helped for shape in SHAPES)


def test_settings_give_the_zone_and_the_roles_of_a_repository(
    imported: Run, tmp_path: Path
) -> None:
    (tmp_path / "shipledger.toml").write_text(
        'zone = "Asia/Kolkata"\n[[repositories]]\nname = "acme/widget"\n'
        '[repositories.branches]\nmain = ["nothing"]\n'
    )
    report = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    assert report["period"]["tz"] == "Asia/Kolkata"
    assert report["by_base"].get("main", {}).get("merged", 0) == 0
    kinds = [
        json.loads(line)["type"]
        for line in imported("log", "tail", "-n", "1000", "--json").stdout.splitlines()
    ]
    assert kinds.count("shipledger.configuration") == 2  # the settings and the rule sets
