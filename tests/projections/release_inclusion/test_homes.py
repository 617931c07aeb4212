"""Release branches that are merged back: their picks lie on the default branch too."""

import pytest
from msgspec.structs import replace

from projections.release_inclusion.history.carriers import CarrierRole
from tests.projections.release_inclusion.histories import Written, sha_of

FIX = "Fix the parser of dates"


def _merged_back(copy: str = FIX, *, branch: bool = True) -> Written:
    """Write main with a fix as #12, and a pick of it on release/1.7, which came back to main."""
    written = Written(branches={"main": "back"}, tags={"v1.7.1": "cut", "v1.8.0": "back"})
    if branch:
        written.branches["release/1.7"] = "cut"
    written.commit("start")
    written.commit("fix", "start", subject=f"{FIX} (#12)", at=6, authored=5)
    written.commit("copy", "start", subject=copy, at=9, authored=5)
    written.commit("cut", "copy", subject="Cut 1.7.1", at=10)
    written.commit("back", "fix", "cut", subject="Merge branch 'release/1.7'", at=11)
    return written


@pytest.mark.parametrize("branch", [True, False], ids=["the branch stands", "a tag is left"])
def test_a_pick_that_came_back_is_still_the_pick_of_its_release(branch: bool) -> None:
    asked = _merged_back(branch=branch).read()
    assert asked.verdict(12, "v1.7.1").outcome == "included"
    assert asked.verdict(12, "v1.7.1").how == "cherry-picked"
    assert asked.verdict(12, "v1.8.0").how == "direct"


def test_a_backport_that_came_back_is_no_second_change() -> None:
    asked = _merged_back(f"{FIX} (#20)").read()
    answer = asked.verdict(12, "v1.7.1")
    assert (answer.outcome, answer.by) == ("included", (20,))
    assert [carrier.role for carrier in answer.carriers] == [CarrierRole.PICK]


def test_an_equal_title_that_came_back_is_a_question() -> None:
    written = _merged_back()
    written.commits[2] = replace(written.commits[2], author="dev-b", authored_at=7)
    assert written.read().verdict(12, "v1.7.1").outcome == "undetermined"
    patches = {sha_of("fix"): "p", sha_of("copy"): "p"}
    assert written.read(patches=patches).verdict(12, "v1.7.1").outcome == "included"


def test_what_one_branch_merged_twice_is_compared_with_nothing() -> None:
    """A request that was rebased after another one had taken its commit along."""
    written = Written(branches={"main": "second"}, tags={"v1": "fix"})
    written.commit("start")
    written.commit("fix", "start", subject=f"{FIX} (#12)", at=6, authored=5)
    written.commit("again", "start", subject=FIX, at=7, authored=5)
    written.commit("second", "fix", "again", subject="Merge pull request #30 from dev-a/x", at=8)
    carriers = written.read().history.carriers.at(sha_of("again"))
    assert [carrier.number for carrier in carriers] == [30]
    assert written.read().verdict(30, "v1").outcome == "not_included"
