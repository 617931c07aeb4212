"""Merges that lie on no branch's own line: inside a request's branch, or a longer one."""

import pytest

from tests.projections.release_inclusion.histories import Written, sha_of

PULL = "Merge pull request #{} from dev-a/f"


def _merged_in(*, outer: str) -> Written:
    """Write main, to which a line is merged on which #12 was merged with one commit."""
    written = Written(branches={"main": "joined"})
    written.commit("start")
    written.commit("root", "start")
    written.commit("a", "root", subject="Set the group of it", at=1)
    written.commit("merge", "root", "a", subject=PULL.format(12), at=2)
    written.commit("join", "start", "merge", subject=outer, at=9)
    written.commit("joined", "join", at=10)
    return written


def _undone(written: Written, *, after: str, named: str = "a") -> Written:
    message = f"This reverts commit {sha_of(named)}."
    written.commit("undo", after, subject="Undo it", message=message, at=20)
    return written


@pytest.mark.parametrize("named", ["a", "merge"])
@pytest.mark.parametrize("outer", ["Merge what was developed", PULL.format(40)])
def test_a_revert_of_what_it_brought_takes_it_out(named: str, outer: str) -> None:
    written = _undone(_merged_in(outer=outer), after="joined", named=named)
    written.tags = {"v1": "joined", "v2": "undo"}
    written.branches["main"] = "undo"
    asked = written.read()
    assert [asked.verdict(12, tag).outcome for tag in ("v1", "v2")] == ["included", "reverted"]


def test_a_revert_inside_the_line_takes_it_out() -> None:
    written = Written(branches={"main": "join"})
    written.commit("start")
    written.commit("root", "start")
    written.commit("a", "root", subject="Set the group of it", at=1)
    written.commit("merge", "root", "a", subject=PULL.format(12), at=2)
    _undone(written, after="merge")
    written.commit("join", "start", "undo", subject="Merge what was developed", at=30)
    assert written.read().verdict(12, "main").outcome == "reverted"


def test_a_merge_inside_a_branch_brings_nothing_that_main_had() -> None:
    written = Written(branches={"main": "undo"})
    written.commit("start")
    written.commit("other", "start", subject="Another change of main", at=1)
    written.commit("c", "start", subject="Part of the branch", at=1)
    written.commit("sub", "other", subject="A part for the branch", at=2)
    written.commit("nested", "c", "sub", subject=PULL.format(12), at=3)
    written.commit("merge", "other", "nested", subject=PULL.format(40), at=4)
    _undone(written, after="merge", named="other")
    asked = written.read()
    assert [asked.verdict(number, "main").outcome for number in (12, 40)] == ["included"] * 2


def test_a_merge_of_main_into_a_branch_is_a_sync_there() -> None:
    written = Written(branches={"main": "undo"})
    written.commit("start")
    written.commit("x", "start", subject="One change of main", at=1)
    written.commit("y", "x", subject="Two changes of main", at=2)
    written.commit("c", "start", subject="Part of the branch", at=1)
    written.commit("nested", "c", "y", subject=PULL.format(12), at=3)
    written.commit("merge", "y", "nested", subject=PULL.format(40), at=4)
    _undone(written, after="merge", named="x")
    asked = written.read()
    assert {c.sha for c in asked.history.carriers.of(12)} == {sha_of("nested")}
    assert asked.verdict(40, "main").outcome == "included"


def test_a_nested_request_takes_part_in_a_revert_of_the_outer_one() -> None:
    written = Written(branches={"main": "undo"})
    written.commit("start")
    written.commit("c", "start", subject="Part of the branch", at=1)
    written.commit("sub", "c", subject="A part for the branch", at=2)
    written.commit("nested", "c", "sub", subject=PULL.format(12), at=3)
    written.commit("merge", "start", "nested", subject=PULL.format(40), at=4)
    _undone(written, after="merge", named="merge")
    asked = written.read()
    assert [asked.verdict(number, "main").outcome for number in (12, 40)] == ["reverted"] * 2


@pytest.mark.parametrize("subject", ["Sync main into dev (#12)", PULL.format(12)])
@pytest.mark.parametrize("merged", [False, True])
def test_what_may_have_brought_main_to_a_branch_that_is_gone_has_nothing_of_main(
    subject: str, merged: bool
) -> None:
    written = Written(branches={"main": "y"}, tags={"v1": "y", "dev-1": "sync"})
    written.commit("start")
    written.commit("c", "start", subject="Part of the branch", at=1)
    written.commit("x", "start", subject="One change of main", at=1)
    written.commit("y", "x", subject="Two changes of main", at=2)
    written.commit("sync", "c", "y", subject=subject, at=3)
    if merged:
        written.commit("merge", "y", "sync", subject="Merge what was developed", at=4)
        written.branches["main"] = "merge"
    asked = written.read()
    assert {c.sha for c in asked.history.carriers.of(12)} == {sha_of("sync")}
    assert asked.verdict(12, "v1").outcome == "not_included"
