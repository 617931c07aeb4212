"""Reverts that reach a branch by copies: what they take out, and what they leave."""

import pytest

from tests.projections.release_inclusion.histories import Written, sha_of


def _backported(*reverted: str) -> Written:
    """Write #12 of two commits, its backport #20 by copies, and a revert of some of them."""
    written = Written(branches={"main": "merge", "r": "undo"})
    written.commit("start")
    written.commit("a", "start", subject="Part one of it", at=1, authored=1)
    written.commit("b", "a", subject="Part two of it", at=2, authored=2)
    written.commit("merge", "start", "b", subject="Merge pull request #12 from dev-a/f", at=3)
    written.commit("a2", "start", subject="Part one of it", at=5, authored=1)
    written.commit("b2", "a2", subject="Part two of it", at=5, authored=2)
    written.commit("back", "start", "b2", subject="Merge pull request #20 from dev-a/g", at=6)
    words = "\n".join(f"This reverts commit {sha_of(name)}." for name in reverted)
    written.commit("undo", "back", subject="Undo", message=words, at=7)
    return written


@pytest.mark.parametrize(
    ("reverted", "outcome"), [(["a"], "partly"), (["a", "b"], "reverted"), (["merge"], "reverted")]
)
def test_a_revert_of_an_original_takes_out_its_copy_and_no_other(
    reverted: list[str], outcome: str
) -> None:
    # the copies are known to hold what their originals do, and nothing of the other commit
    patches = {sha_of(name): name[0] for name in ("a", "a2", "b", "b2")}
    asked = _backported(*reverted).read(patches=patches)
    assert (asked.verdict(12, "r").outcome, asked.verdict(20, "r").outcome) == (outcome, outcome)


def test_a_merge_that_names_its_pick_holds_no_more_than_what_it_brought() -> None:
    written = Written(branches={"main": "merge", "r": "undo"})
    written.commit("start")
    written.commit("a", "start", subject="Update the runner", at=1, authored=1)
    written.commit("merge", "start", "a", subject="Merge pull request #12 from dev-a/f", at=3)
    written.commit("a2", "start", subject="Update the runner", at=5, authored=1)
    branch = "Merge pull request #20 from robot/cherry-pick-12-to-release/1.7"
    written.commit("back", "start", "a2", subject=branch, at=6)
    words = f"This reverts commit {sha_of('a')}."
    written.commit("undo", "back", subject='Revert "Update the runner"', message=words, at=7)
    asked = written.read()
    assert asked.verdict(12, "r").outcome == "reverted"


@pytest.mark.parametrize("request_title", ['Revert "Add mounts" (#12)', "revert: Add mounts (#12)"])
def test_a_merge_with_the_title_of_a_revert_brings_nothing_back(request_title: str) -> None:
    written = Written(branches={"main": "back"})
    written.commit("start")
    written.commit("a", "start", subject="Add some mounts", at=1)
    pull = "Merge pull request #{} from dev-a/f"
    written.commit("merge", "start", "a", subject=pull.format(12), message="Add mounts", at=2)
    words = f"This reverts commit {sha_of('a')}."
    written.commit("undo", "merge", subject='Revert "Add some mounts"', message=words, at=3)
    written.commit("back", "merge", "undo", subject=pull.format(20), message=request_title, at=4)
    assert written.read().verdict(12, "main").outcome == "reverted"


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ('Revert "Log the name of the rule"', ""),
        ("Undo", f"This reverts commit {sha_of('merge')}."),
        ("Revert #12", ""),
    ],
)
def test_a_reverted_merge_takes_nothing_with_it_that_main_brought_to_its_branch(
    subject: str, message: str
) -> None:
    written = Written(branches={"main": "undo"})
    written.commit("start")
    written.commit("a", "start", subject="Name it", at=1)
    written.commit("other", "start", subject="Another change (#11)", at=2)
    written.commit("sync", "a", "other", subject="Merge branch 'main' into rule-name", at=3)
    pull = "Merge pull request #12 from dev-a/rule-name"
    title = "Log the name of the rule"
    written.commit("merge", "other", "sync", subject=pull, message=title, at=4)
    written.commit("undo", "merge", subject=subject, message=message, at=5)
    asked = written.read()
    outcomes = [asked.verdict(number, "main").outcome for number in (11, 12)]
    assert outcomes == ["included", "reverted"]
