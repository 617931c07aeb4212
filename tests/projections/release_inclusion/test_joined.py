"""Another repository's history merged in, and a branch begun anew: whose numbers are these?"""

import pytest

from projections.release_inclusion.history.carriers import Request
from tests.projections.release_inclusion.histories import Asked, Written, sha_of

PULL = "Merge pull request #{} from dev-a/f"


def _joined(*, numbers: range = range(2, 6), own: range = range(1, 12)) -> Written:
    """Write main with requests of its own, and a history of another root that is merged to it."""
    written, after = Written(branches={"main": "end"}), "start"
    written.commit("start")
    for n in own:
        written.commit(f"own{n}", after, subject=f"Own change of kind {n} (#{n})", at=n)
        after = f"own{n}"
    their = "root"
    written.commit("root")
    for n in numbers:
        written.commit(f"side{n}", their, subject=f"Part {n} of that", at=n)
        subject = PULL.format(n) if n % 2 else f"Their change of kind {n} (#{n})"
        parents = (their, f"side{n}") if n % 2 else (f"side{n}",)
        written.commit(f"their{n}", *parents, subject=subject, message=f"Their {n}", at=n)
        their = f"their{n}"
    written.commit("join", after, their, subject="Merge the other repository", at=90)
    written.commit("end", "join", at=91)
    return written


def _told(asked: Asked, *numbers: int) -> list[str]:
    return [asked.verdict(number, "main").outcome for number in numbers]


def test_what_landed_under_other_titles_shows_whose_numbers_they_are() -> None:
    written = _joined(numbers=range(2, 8), own=range(1, 12))
    written.commits = [c for c in written.commits if c.subject[:21] != "Own change of kind 7 "]
    written.commit("own7", "own6", subject="Pushed without a request", at=7)
    asked = written.read()
    assert {c.sha for c in asked.history.carriers} == {
        c.sha for c in written.commits if c.subject.startswith("Own")
    }
    assert _told(asked, 2, 6, 7) == ["included", "included", "undetermined"]
    assert asked.history.resolution.doubts == ()


def test_a_revert_in_their_words_is_no_revert_of_ours() -> None:
    written = _joined(numbers=range(2, 6))
    join = written.commits.pop(-2)
    written.commit("undo", "their5", subject="Revert #9", at=80)
    written.commit("join", "own11", "undo", subject=join.subject, at=90)
    assert _told(written.read(), 9) == ["included"]


def test_few_numbers_are_a_doubt() -> None:
    written = _joined(numbers=range(5, 8), own=range(1, 6))
    assert _told(written.read(), 5, 6, 7) == ["included", "undetermined", "undetermined"]


@pytest.mark.parametrize("numbers", [range(2, 8), range(6, 10)])
def test_a_branch_begun_anew_here_has_our_numbers_where_heads_show_it(numbers: range) -> None:
    written = _joined(numbers=numbers, own=range(1, 2))
    heads = [Request(number=n, head=sha_of(f"side{n}")) for n in numbers]
    assert set(_told(written.read(*heads), *numbers)) == {"included"}


def test_a_head_shows_that_one_of_them_is_ours() -> None:
    written = _joined(numbers=range(2, 8), own=range(1, 12))
    written.commits = [c for c in written.commits if c.subject[:21] != "Own change of kind 7 "]
    written.commit("own7", "own6", subject="Pushed without a request", at=7)
    asked = written.read(Request(number=7, head=sha_of("side7")))
    assert _told(asked, 7) == ["included"]


def test_a_history_whose_numbers_had_come_further_may_be_the_one_that_went_on() -> None:
    written = _joined(numbers=range(2, 20), own=range(1, 6))
    outcomes = _told(written.read(), *range(6, 20))
    assert set(outcomes) == {"undetermined"}
    named = written.read(
        Request(number=7, state="merged", merge_commit=sha_of("their7")),
        Request(number=8, title="Their change of kind 8"),
    )
    assert _told(named, 7, 8) == ["included", "included"]


def test_behind_what_a_clone_lacks_nothing_is_unrelated() -> None:
    written = _joined(numbers=range(2, 8), own=range(1, 2))
    written.commits = [c for c in written.commits if c.sha != sha_of("root")]
    assert set(_told(written.read(), *range(2, 8))) == {"included"}
