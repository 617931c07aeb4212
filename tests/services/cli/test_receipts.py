"""`shipledger report --receipt`, `verify` and the comparisons, on a data folder."""

import json
from pathlib import Path

import pytest

from events.errors import InvalidQuestion, NotFound
from services.cli.commands import run
from services.simulator import World
from tests.services_fixtures import Run

JULY = ("--from", "2026-07-01", "--to", "2026-08-01")


@pytest.fixture
def imported(shipledger: Run, small_world: World, tmp_path: Path) -> Run:
    """A folder with a simulated repository's history as it was in the middle of July."""
    middle = (small_world.truth.start + 2 * small_world.truth.end) // 3
    small_world.build_repository(tmp_path / "early.git", at=middle)
    small_world.build_repository(tmp_path / "late.git")
    done = shipledger("import", "git", "early.git", "--repo", "acme/widget")
    assert done.exit_code == 0, done.output
    return shipledger


def more(shipledger: Run) -> None:
    done = shipledger("import", "git", "late.git", "--repo", "acme/widget")
    assert done.exit_code == 0, done.output


def test_a_report_is_verified_from_its_receipt_after_more_was_recorded(
    imported: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = imported("report", "acme/widget", *JULY, "--receipt", "july.json").stdout
    assert "Receipt: content sha256" in first
    more(imported)
    Path("shipledger.toml").write_text('zone = "Asia/Shanghai"\n', "utf-8")
    assert imported("report", "acme/widget", *JULY).stdout != first
    assert run(["verify", "july.json"]) == 0
    assert "same bytes" in capsys.readouterr().out
    told = json.loads(imported("verify", "july.json", "--json").stdout)
    assert told["outcome"] == "same"
    assert told["question"]["format"] == "md"


def test_a_report_in_json_carries_its_receipt(imported: Run) -> None:
    text = imported("report", "acme/widget", *JULY, "--json").stdout
    Path("report.json").write_text(text, "utf-8")
    assert run(["verify", "report.json"]) == 0
    count = json.loads(text)["counts"]["merged"]
    Path("report.json").write_text(text.replace(f'"merged": {count}', '"merged": 999', 1), "utf-8")
    assert run(["verify", "report.json"]) == 2


THEMES = """
[[repositories]]
name = "acme/widget"
[[repositories.themes.rules]]
name = "Everything"
titles = ["."]
"""


def test_a_report_in_json_carries_the_themes_of_its_edition(imported: Run) -> None:
    june = ("--from", "2026-06-01", "--to", "2026-07-01")
    Path("shipledger.toml").write_text(THEMES, "utf-8")
    report = json.loads(imported("report", "acme/widget", *june, "--json").stdout)
    edition = json.loads(
        imported("edition", "acme/widget", "--period", "2026-06", "--format", "json").stdout
    )
    assert report["themes"] == edition["themes"]
    assert report["reconciliation"] == edition["reconciliation"]
    numbers = {number for theme in report["themes"] for number in theme["pulls"]}
    assert numbers
    assert numbers <= {row["number"] for rows in report["ledger"].values() for row in rows}
    plain = json.loads(imported("report", "acme/widget", *june, "--json", "--no-themes").stdout)
    assert "themes" not in plain
    assert plain["reconciliation"] == report["kept"]
    assert list(report["kept"]) == ["merged", "kept", "excluded"]


def test_a_receipt_of_another_program_ends_with_three(
    imported: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as then:
        then.setattr("services.audit.receipts.making.answer_version", lambda: "0" * 16)
        then.setattr("services.answers.reports.document.count_line", lambda _report: "other")
        imported("report", "acme/widget", *JULY, "--receipt", "july.json")
    assert run(["verify", "july.json"]) == 3
    assert "answer version 0000000000000000 then" in capsys.readouterr().out


def test_what_changed_since_is_told_with_its_cause(imported: Run) -> None:
    then = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    Path("report.json").write_text(json.dumps(then, ensure_ascii=False, indent=2) + "\n", "utf-8")
    more(imported)
    since = ("--compare-known-at", then["known_at"])
    told = json.loads(imported("report", "acme/widget", *JULY, *since, "--json").stdout)
    now = json.loads(imported("report", "acme/widget", *JULY, "--json").stdout)
    merged = next(row for row in told["changes"] if row["count"] == "merged")
    assert merged["difference"] == now["counts"]["merged"] - then["counts"]["merged"] > 0
    assert len(merged["in"]) - len(merged["out"]) == merged["difference"]
    assert {row["cause"]["kind"] for row in told["requests"]} == {"late record"}
    of_file = imported("report", "acme/widget", *JULY, "--compare-edition", "report.json", "--json")
    assert json.loads(of_file.stdout)["requests"] == told["requests"]
    text = imported("report", "acme/widget", *JULY, *since).stdout
    assert text.startswith("# What changed: acme/widget, 2026-07-01 through 2026-07-31")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--compare-edition", "nothing"), "neither a file nor an edition"),
        (("--compare-known-at", "soon"), "offset"),
        (("--compare-known-at", "2026-07-01T00:00:00Z", "--compare-edition", "x"), "one thing"),
        (("--compare-known-at", "2030-01-01T00:00:00Z"), "lies after"),
    ],
)
def test_what_cannot_be_compared_is_told(
    imported: Run, options: tuple[str, ...], words: str
) -> None:
    done = imported("report", "acme/widget", *JULY, *options)
    assert isinstance(done.exception, InvalidQuestion)
    assert words in str(done.exception)


def test_a_receipt_that_is_not_there_is_told(imported: Run) -> None:
    done = imported("verify", "nowhere.json")
    assert isinstance(done.exception, NotFound)
    assert "neither a file nor an edition 'nowhere.json'" in str(done.exception)
