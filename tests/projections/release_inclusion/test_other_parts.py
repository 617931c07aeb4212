"""A request of which two releases hold different parts is told by the later one."""

from tests.projections.release_inclusion.bench import Bench, git
from tests.projections.release_inclusion.histories import Written, sha_of


def _parts(*later: str) -> Written:
    """Write #12 with commits a and b on main; v1.0 picks a, and v1.1 the commits given."""
    written = Written(branches={"main": "merge"})
    written.line("start")
    written.commit("a", "start", subject="Read dates")
    written.commit("b", "a", subject="Read hours")
    written.commit("merge", "start", "b", subject="Merge pull request #12 from dev-a/dates")
    written.commit("pa", "start", subject="Read dates", message=_picked("a"))
    tip = "pa"
    if "a" not in later:
        text = f"This reverts commit {sha_of('pa')}."
        written.commit("ra", "pa", subject='Revert "Read dates"', message=text)
        tip = "ra"
    if "b" in later:
        written.commit("pb", tip, subject="Read hours, carefully", message=_picked("b"))
        tip = "pb"
    written.commit("cut", tip, subject="Cut 1.1")
    written.branches["release-1"] = "cut"
    written.tags |= {"v1.0": "pa", "v1.1": "cut"}
    return written


def _picked(name: str) -> str:
    return f"(cherry picked from commit {sha_of(name)})"


def _listed(*later: str) -> list[int]:
    page = Bench(*git(_parts(*later), "03-01")).page("v1.1", against="v1.0")
    return [verdict.number for verdict in page.partly]


def test_another_part_is_told_and_the_same_one_is_not() -> None:
    assert _listed("b") == [12]
    assert _listed("a") == []


def test_the_whole_in_the_end_is_new() -> None:
    page = Bench(*git(_parts("a", "b"), "03-01")).page("v1.1", against="v1.0")
    assert [verdict.number for verdict in page.new] == [12]
