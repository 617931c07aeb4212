"""Changes that only commits tie: the text of neither request names the other."""

from pathlib import Path

import pytest

from services.intake.git import GitRepository, read_contents, recall
from tests.answers import edition_text
from tests.services.answers.editions.desk import edition_of
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox
from tests.worlds import project

LINES = "".join(f"{nth}\n" for nth in range(30))


@pytest.fixture
def repo(tmp_path: Path) -> Sandbox:
    sandbox = Sandbox(tmp_path / "repo")
    sandbox.commit("Begin", a=LINES)
    sandbox.git("branch", "release/1.0")
    return sandbox


def numbers(imports: Imports) -> set[tuple[int, ...]]:
    edition = edition_of(project(imports.log), full_name="acme/tool")
    return {one.numbers for theme in edition.of("delivered") for one in theme.changes}


def test_a_cherry_pick_inside_a_merge_is_told_with_what_it_picks(repo: Sandbox) -> None:
    fix = repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    repo.git("switch", "-qc", "work", "release/1.0")
    repo.unix_time += 60
    repo.git("cherry-pick", "-x", fix)
    repo.git("commit", "-q", "--amend", "-m", "Hotfix", "-m", f"(cherry picked from commit {fix})")
    repo.git("switch", "-q", "release/1.0")
    repo.merge("work", message="Merge pull request #6 from ada/work\n\nHotfix for customers")
    repo.git("switch", "-q", "main")
    repo.commit("Another (#7)", b="b")
    imports = Imports()
    imports.run(repo.path)
    assert numbers(imports) == {(5, 6), (7,)}


def test_an_equal_change_under_another_title_is_told_once_where_contents_were_read(
    repo: Sandbox,
) -> None:
    repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    repo.git("switch", "-q", "release/1.0")
    repo.commit("Hotfix for customers (#6)", a=LINES + "last\n")
    repo.git("switch", "-q", "main")
    imports = Imports()
    imports.run(repo.path)
    assert numbers(imports) == {(5,), (6,)}
    read_contents(
        GitRepository(repo.path),
        recall(imports.log, REPOSITORY, REPOSITORY),
        log=imports.log,
        repository=REPOSITORY,
        clock=lambda: imports.now,
    )
    assert numbers(imports) == {(5, 6)}


def test_what_was_open_is_not_known_from_git_and_never_called_nothing(repo: Sandbox) -> None:
    repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    imports = Imports()
    imports.run(repo.path)
    edition = edition_of(project(imports.log), full_name="acme/tool")
    english, chinese = edition_text(edition, "md", "en"), edition_text(edition, "md", "zh")
    assert "Not known: nothing recorded" in english
    assert "Nothing in this period" not in english
    assert "未知：没有记录" in chinese
    assert "本期没有" not in chinese


def test_requests_that_only_their_heads_show_are_candidates_for_in_progress(
    repo: Sandbox,
) -> None:
    repo.git("switch", "-qc", "work")
    for number in (8, 9):
        repo.git("update-ref", f"refs/pull/{number}/head", repo.commit("Work", a=str(number)))
    repo.git("update-ref", "refs/pull/9/merge", "HEAD")
    repo.git("switch", "-q", "main")
    repo.git("branch", "-qD", "work")
    repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    imports = Imports()
    imports.run(repo.path)
    edition = edition_of(project(imports.log), full_name="acme/tool")
    english, chinese = edition_text(edition, "md", "en"), edition_text(edition, "md", "zh")
    assert "Candidates, open or closed unproven: 2 further requests" in english
    assert "(1 of them with a test merge, as open ones have)" in english
    assert "另有 2 个 PR" in chinese
    assert numbers(imports) == {(5,)}


def test_what_a_commit_took_back_is_not_told_as_delivered(repo: Sandbox) -> None:
    """As in #5709 of Megatron-LM, whose title no template of titles reads."""
    fix = repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    repo.commit("Another (#7)", b="b")
    repo.unix_time += 60
    repo.git("revert", "--no-edit", fix)
    body = repo.git("log", "-1", "--format=%b")
    repo.git("commit", "-q", "--amend", "-m", "ci: revert last lines (#5) (#8)", "-m", body)
    imports = Imports()
    imports.run(repo.path)
    edition = edition_of(project(imports.log), full_name="acme/tool")
    assert numbers(imports) == {(7,)}
    assert edition.not_told == {5: "reverted", 8: "takes back #5 of the same period"}


def test_what_a_commit_put_back_is_delivered_whatever_the_titles_say(repo: Sandbox) -> None:
    fix = repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    repo.unix_time += 60
    repo.git("revert", "--no-edit", fix)
    repo.git(
        "commit",
        "-q",
        "--amend",
        "-m",
        f'Revert "Keep the last line (#5)" (#6)\n\nThis reverts commit {fix}.',
    )
    revert = repo.sha("HEAD")
    repo.unix_time += 60
    repo.git("revert", "--no-edit", revert)
    imports = Imports()
    imports.run(repo.path)
    assert (5,) in numbers(imports)


def test_a_sync_is_no_delivery(repo: Sandbox) -> None:
    repo.git("branch", "dev")
    repo.commit("Keep the last line (#5)", a=LINES + "last\n")
    repo.git("switch", "-q", "dev")
    repo.commit("For dev (#6)", c="c")
    repo.merge("main", message="nightly sync main into dev (02_07_2026) (#9)")
    repo.git("switch", "-q", "main")
    imports = Imports()
    imports.run(repo.path)
    edition = edition_of(project(imports.log), full_name="acme/tool")
    assert numbers(imports) == {(5,), (6,)}
    assert edition.not_told == {9: "brings one branch to another, and no change of its own"}
