"""`import files`, `import git --contents`, `why`, `report --definitions`, as one calls them."""

import json
from pathlib import Path

import pytest

from events.errors import ConfigurationError, InvalidQuestion
from services.cli.import_files import number_list
from tests.services.intake.git.sandbox import Sandbox
from tests.services.intake.github.stub import TOKEN, files, pages, stub_api
from tests.services_fixtures import Run

JULY = ("--from", "2026-07-01", "--to", "2026-08-01")
WHY = ("why", "acme/tool", "1", "--period", "2026-07")


@pytest.fixture
def imported(shipledger: Run, tmp_path: Path) -> Run:
    repo = Sandbox(tmp_path / "repo")
    repo.commit("Begin", **{"a.py": "x={1:2}\n"})
    repo.commit("Format it (#1)", **{"a.py": "x = {1: 2}\n"})
    repo.commit("Mend it (#2)", **{"a.py": "x = {1: 3}\n"})
    done = shipledger(
        "import", "git", str(repo.path), "--repo", "acme/tool", "--contents", "--json"
    )
    assert json.loads(done.stdout)["contents"] == {
        "judged": 3,
        "format_only": 1,
        "patches": 3,
        "without_blobs": 0,
    }
    return shipledger


def test_formats_that_were_judged_reach_the_report(imported: Run) -> None:
    report = json.loads(imported("report", "acme/tool", *JULY, "--json").stdout)
    assert report["exclusions"]["format-only"] == {"merged": 1, "closed": None, "open": None}
    assert report["filtered"]["merged"] == 1
    said = imported(*WHY).stdout
    assert "not told" in said
    assert "format only (rules 2/pygments" in said
    assert json.loads(imported(*WHY, "--json").stdout)["classified"]["class"] == "format-only"


def test_definitions_come_with_a_flag(imported: Run) -> None:
    assert "## Definitions" not in imported("report", "acme/tool", *JULY).stdout
    assert "repo:acme/tool is:pr" in imported("report", "acme/tool", *JULY, "--definitions").stdout


def test_configured_rules_decide(imported: Run, tmp_path: Path) -> None:
    (tmp_path / "shipledger.toml").write_text(
        '[[repositories]]\nname = "acme/tool"\n[repositories.exclusions]\ntest = ["*.py"]\n'
    )
    report = json.loads(imported("report", "acme/tool", *JULY, "--json").stdout)
    assert report["exclusions"]["test-only"]["merged"] == 2
    (tmp_path / "shipledger.toml").write_text(
        '[[repositories]]\nname = "acme/tool"\n[repositories.exclusions]\ntest = ["/x"]\n'
    )
    refused = imported("report", "acme/tool", *JULY)
    assert isinstance(refused.exception, ConfigurationError)
    assert "repositories[0].exclusions.test" in str(refused.exception)


def test_files_are_imported_by_the_api(imported: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", TOKEN)
    call = ("import", "files", "acme/tool", "--numbers", "7", "--token-env", "MY_TOKEN", "--json")
    with stub_api() as stub:
        stub.will(*pages(files("a.py")))
        done = imported(*call, "--api-url", stub.url)
        assert json.loads(done.stdout) == {
            "repository": "acme/tool",
            "new": 1,
            "unchanged": 0,
            "gone": [],
        }
        assert stub.asked[0].path.startswith("/repos/acme/tool/pulls/7/files")
        period = ("import", "files", "acme/tool", "--period", "2026-07", "--token-env", "MY_TOKEN")
        assert "0 lists of files new" in imported(*period, "--api-url", stub.url).stdout
    assert TOKEN not in done.output
    assert TOKEN not in imported("log", "tail", "-n", "1000", "--json").stdout


def test_a_missing_token_is_named_by_its_variable(imported: Run) -> None:
    refused = imported("import", "files", "acme/tool", "--numbers", "7", "--token-env", "NO_TOKEN")
    assert isinstance(refused.exception, ConfigurationError)
    assert "NO_TOKEN" in str(refused.exception)


def test_numbers_are_written_singly_or_as_ranges() -> None:
    assert number_list("3, 5-7") == [3, 5, 6, 7]
    for text in ("", "x", "3-", "7-5", "0", "-1", "1-9999999"):
        with pytest.raises(InvalidQuestion, match="write 12,15,20-29"):
            number_list(text)
