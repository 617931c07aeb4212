"""Numbers in words against facts: forks, robots that land and close, and abandoned requests."""

import pytest

from events.instant import DAY
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.verdicts import Verdict
from tests.projections.release_inclusion.histories import Asked, Written, sha_of

LANDED = 1_000 * DAY
FORK_MERGE = "Merge pull request #3 from dev-c/sub"


def _inside(
    *requests: Request, subject: str = FORK_MERGE, landed: tuple[str, str] | None = None
) -> Asked:
    """Merge #27, whose branch holds a commit that says it lands #3."""
    written = Written(branches={"main": "merge"}, tags={"v1": "merge"})
    written.commit("start", subject=landed[1] if landed else "start", at=DAY)
    written.commit("one", "start", at=LANDED)
    written.commit("two", "one", at=LANDED)
    parents = ("one", "two") if subject.startswith("Merge") else ("two",)
    written.commit("stranger", *parents, subject=subject, message="\nPolish", at=LANDED)
    written.commit(
        "merge", "start", "stranger", subject="Merge pull request #27 from dev-b/f", at=LANDED
    )
    return written.read(*requests)


def _three(**known: object) -> Request:
    return Request(number=3, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize("subject", [FORK_MERGE, "Take the pointer (#3)"])
def test_what_was_closed_before_the_commit_was_made_is_not_landed_by_it(subject: str) -> None:
    closed = _three(state="closed", opened_at=DAY, ended_at=2 * DAY)
    answer = _inside(closed, subject=subject).verdict(3, "v1")
    assert (answer.outcome, answer.reason) == ("not_included", "closed without a merge")


@pytest.mark.parametrize("subject", [FORK_MERGE, "Take the pointer (#3)"])
def test_what_was_opened_after_the_commit_was_made_is_not_landed_by_it(subject: str) -> None:
    later = _three(state="merged", opened_at=LANDED + 9 * DAY, ended_at=LANDED + 10 * DAY)
    answer = _inside(later, subject=subject).verdict(3, "v1")
    assert (answer.outcome, answer.reason) == ("undetermined", "no commit is known")


@pytest.mark.parametrize("subject", [FORK_MERGE, "Take the pointer (#3)"])
def test_a_stranger_beside_the_commit_that_github_named_is_a_doubt(subject: str) -> None:
    named = _three(state="merged", merge_commit=sha_of("start"), title="Another thing")
    asked = _inside(named, subject=subject, landed=("start", "Another thing (#3)"))
    assert asked.verdict(3, "v1").outcome == "included"  # the named commit is there anyway
    carriers = {carrier.sha for carrier in asked.history.carriers.of(3)}
    assert carriers == {sha_of("start")}


def test_a_copy_of_the_named_commit_is_its_pick() -> None:
    named = _three(state="merged", merge_commit=sha_of("start"), title="Take the pointer")
    asked = _inside(named, subject="Take the pointer (#3)", landed=("start", "Take the pointer"))
    assert len(asked.history.carriers.of(3)) == 2


def test_a_merge_of_another_head_is_another_repositorys() -> None:
    asked = _inside(_three(state="merged", head=sha_of("start")))
    assert [c.sha for c in asked.history.carriers.of(3)] == [sha_of("start")]  # by its head


def test_a_merge_of_its_own_head_is_its_landing() -> None:
    asked = _inside(_three(state="merged", head=sha_of("two")))
    assert sha_of("stranger") in {c.sha for c in asked.history.carriers.of(3)}


@pytest.mark.parametrize("subject", [FORK_MERGE, "Take the pointer (#3)"])
def test_with_git_alone_another_title_on_the_line_makes_a_stranger_doubtful(subject: str) -> None:
    asked = _inside(subject=subject, landed=("start", "Another thing (#3)"))
    assert {c.sha for c in asked.history.carriers.of(3)} == {sha_of("start")}
    assert [doubt.sha for doubt in asked.history.resolution.doubts] == [sha_of("stranger")]


def test_with_git_alone_and_no_other_landing_the_words_hold() -> None:
    assert _inside().verdict(3, "v1").outcome == "included"


def _on_the_line(*, after: int) -> Verdict:
    """Land #3 by a commit of main, so long after it was closed."""
    written = Written(branches={"main": "land"}, tags={"v1": "land"})
    written.commit("start")
    written.commit("land", "start", subject="Fix the lock (#3)", at=LANDED + after)
    closed = _three(state="closed", opened_at=LANDED - DAY, ended_at=LANDED)
    return written.read(closed).verdict(3, "v1")


@pytest.mark.parametrize("after", [-3_600_000_000, 0, 3_600_000_000])
def test_what_a_robot_lands_and_closes_is_in(after: int) -> None:
    assert _on_the_line(after=after).outcome == "included"


def test_what_is_landed_long_after_it_was_closed_is_a_doubt() -> None:
    answer = _on_the_line(after=30 * DAY)
    assert (answer.outcome, answer.evidence) == ("undetermined", (sha_of("land"),))


def test_an_open_request_is_landed_by_nothing() -> None:
    answer = _inside(_three(state="open")).verdict(3, "v1")
    assert (answer.outcome, answer.reason) == ("not_included", "open")
