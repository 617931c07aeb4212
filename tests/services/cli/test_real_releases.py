"""Releases of the real history through the command line, as its readers ask."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.real_history import NAME, NewFolder, rebuilt
from tests.services_fixtures import commands_on

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask(imported_history: NewFolder) -> Iterator[Ask]:
    """Ask a data folder with the imported history, in JSON; each question is asked once."""
    data = imported_history()

    @cache
    def run(name: str, *arguments: str, as_json: bool = True) -> Any:
        done = invoke(name, *arguments, *(["--json"] if as_json else []))
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout) if as_json else done.stdout

    with pytest.MonkeyPatch.context() as patch:
        invoke = commands_on(data, patch)
        yield run


def test_2898_is_there_but_reverted(ask: Ask) -> None:
    (answer,) = ask("included", NAME, "2898", "core_v0.17.0")
    assert answer["verdict"] == "reverted"
    assert answer["by"] == [2916]
    assert any("core_v0.17.0rc0" in note for note in answer["notes"])
    text = ask("included", NAME, "2898", "core_v0.17.0", as_json=False)
    assert text.startswith("#2898 is not in core_v0.17.0: it is there but reverted by #2916")


@pytest.mark.parametrize(
    ("number", "reverted", "elsewhere"), [("2898", 11, "main"), ("2270", 2, "dev")]
)
def test_every_tag_has_its_verdict_and_a_branch_can_be_asked_too(
    ask: Ask, number: str, reverted: int, elsewhere: str
) -> None:
    answers = ask("included", NAME, number)
    assert len(answers) == 76
    verdicts = [one["verdict"] for one in answers]
    assert verdicts.count("reverted") + verdicts.count("removed") == reverted
    # #2271 has the title of #2270 on main: where that one is, #2270 cannot be told
    assert set(verdicts) <= {"reverted", "removed", "not_included", "undetermined"}
    if number == "2270":
        twin = {one["release"]: one["verdict"] for one in ask("included", NAME, "2271")}
        held = {one["release"] for one in answers if one["verdict"] == "undetermined"}
        assert held
        assert all(twin[release] in ("included", "reverted") for release in held)
    else:
        assert "undetermined" not in verdicts
    (branch,) = ask("included", NAME, number, elsewhere)
    assert (branch["release"], branch["verdict"]) == (elsewhere, "reverted")


def test_a_cherry_pick_is_told_with_its_carrier_and_where_it_shipped_first(ask: Ask) -> None:
    (answer,) = ask("included", NAME, "4228", "core_v0.17.0")
    assert (answer["how"], answer["by"]) == ("cherry-picked", [4297])
    assert answer["because"] == "cherry-picked as #4297 to core_r0.17.0 on 2026-04-14"
    assert answer["first_shipped_in"] == "core_v0.17.0"


def test_a_candidate_and_its_final_on_one_commit_are_told_against_their_predecessors(
    ask: Ask,
) -> None:
    final, candidate = (ask("release", NAME, tag) for tag in ("core_v0.17.0", "core_v0.17.0rc0"))
    assert (final["against"], candidate["against"]) == ("core_v0.16.1", "core_v0.16.1")
    assert final["counts"] == candidate["counts"]


def test_a_branch_and_a_tag_of_one_name_are_told_apart(ask: Ask) -> None:
    page = ask("release", NAME, "core_r0.8.0")
    assert any("also the name of a branch" in note for note in page["notes"])


def test_the_page_of_a_release_hides_nothing(ask: Ask) -> None:
    page = ask("release", NAME, "core_v0.19.0")
    assert (page["against"], page["release"]["branch"]) == ("core_v0.18.2", "core_r0.19.0")
    assert page["counts"]["new"] > 300
    assert page["counts"]["undetermined"] == len(page["undetermined"])
    doubtful = ask("release", NAME, "core_v0.17.0", "--against", "core_v0.16.0")
    assert doubtful["counts"]["undetermined"] == len(doubtful["undetermined"]) > 0
    assert [row["number"] for row in page["carriers"]][:2] == [6126, 6138]
    assert {row["subject"] for row in page["unattributed"]} >= {"chore: rotate oncall schedule"}
    assert {port["state"] for port in page["ports"]} == {"elsewhere"}


def test_the_report_of_july_names_the_release_of_july(ask: Ask) -> None:
    july = ("--from", "2026-07-01", "--to", "2026-08-01", "--tz", "Asia/Shanghai")
    report = ask("report", NAME, *july)
    assert [(one["release"], one["against"]) for one in report["released"]] == [
        ("core_v0.18.2", "core_v0.18.0")
    ]
    nowhere = [row["number"] for row in report["ledger"]["merged"] if not row["branches"]]
    assert len(nowhere) < 10  # taken back before the month was over


def test_the_edition_of_a_release_holds_what_git_has_between_the_two(ask: Ask) -> None:
    releases = "core_v0.16.0..core_v0.17.0"
    shown = json.loads(
        ask("edition", NAME, "--releases", releases, "--format", "json", as_json=False)
    )
    page = ask("release", NAME, "core_v0.17.0", "--against", "core_v0.16.0")
    brought = {one["number"] for one in shown["brought"]}
    doubtful = {
        name: {one["number"] for one in rows}
        for name, rows in shown["not_plainly_delivered"].items()
    }
    assert brought | doubtful["perhaps_before"] == {one["number"] for one in page["new"]}
    counts = shown["counts"]
    assert counts["brought"] == len(brought) == 406
    assert sum(counts[part] for part in ("told", "twins", "excluded", "not_told")) == 406
    assert shown["releases"]["relation"]["first_is"] == "parted"
    # what git itself lists, by the number at the end of each subject
    listed = landed(git_log("core_v0.16.0..core_v0.17.0"))
    carriers = {one["number"] for one in shown["carriers"]}
    accounted = brought | carriers | set().union(*doubtful.values())
    unknown = listed - accounted
    for number in sorted(unknown):
        (answer,) = ask("included", NAME, str(number), "core_v0.16.0")
        assert answer["verdict"] == "included", f"#{number} is new and not told of"
    there = landed(git_log("core_v0.17.0"))
    picked = {one["number"] for one in shown["brought"] if one["how"] != "direct"}
    assert brought - picked <= there


def git_log(revisions: str) -> list[str]:
    """Return the subjects that git lists."""
    call = ["git", "-C", str(rebuilt()), "log", "--format=%s", revisions]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()


def landed(subjects: list[str]) -> set[int]:
    """Return the numbers at the ends of subjects."""
    return {int(found[1]) for one in subjects if (found := re.search(r"\(#(\d+)\)\s*$", one))}
