"""Landed again after a revert under the old title: back for sure, in doubt, or another change."""

import pytest

from events.instant import DAY
from projections.release_inclusion.history.likeness import worth_comparing
from projections.release_inclusion.review import reviews
from tests.projections.release_inclusion.bench import Bench, decision, git
from tests.projections.release_inclusion.histories import Asked, Written, sha_of

FIX = "Group the products of rows"


def _world(
    subject: str = f"{FIX} (#20)",
    *,
    of: str = f"{FIX} (#12)",
    author: str = "dev-a",
    authored: int = 9,
    at: int = 9,
) -> Written:
    """Write main: #12, a revert of it, and a commit that may be it once more."""
    written = Written(branches={"main": "again"})
    written.commit("start")
    written.commit("fix", "start", subject=of, at=6, authored=5)
    written.commit("undo", "fix", subject=f'Revert "{of}" (#13)', at=7)
    written.commit("again", "undo", subject=subject, at=at, authored=authored, author=author)
    return written


def _read(written: Written, **patches: str) -> Asked:
    return written.read(patches={sha_of(name): patch for name, patch in patches.items()})


def test_an_equal_patch_under_the_title_is_back() -> None:
    asked = _read(_world(author="dev-b"), fix="p", again="p")
    answer = asked.verdict(12, "main")
    assert (answer.outcome, answer.how, answer.by) == ("included", "restored", (20,))
    assert asked.verdict(20, "main").outcome == "included"


@pytest.mark.parametrize("subject", [FIX, f"{FIX} (#20)", f"[main] {FIX} (#20)"])
def test_the_very_commit_picked_again_is_back(subject: str) -> None:
    answer = _world(subject, authored=5).read().verdict(12, "main")
    assert (answer.outcome, answer.how) == ("included", "restored")


def test_a_pick_of_the_original_elsewhere_is_back_where_it_was_reverted() -> None:
    written = Written(branches={"main": "fix", "release/1.2": "again"})
    written.commit("start")
    written.commit("fix", "start", subject=FIX, at=5, authored=5)
    written.commit("other", "start", subject=FIX, at=6, authored=5)
    written.commit(
        "merge", "start", "other", subject="Merge pull request #12 from dev-a/port", at=6
    )
    message = f"This reverts commit {sha_of('other')}."
    written.commit("undo", "merge", subject=f'Revert "{FIX}"', message=message, at=7)
    message = f"(cherry picked from commit {sha_of('fix')})"
    written.commit("again", "undo", subject=FIX, message=message, at=8, authored=5)
    assert written.read().verdict(12, "release/1.2").outcome == "included"


DOUBTS: dict[str, dict[str, str | int]] = {
    "the title of the author": {},
    "the title of another author": {"author": "dev-b"},
    "the title without a request": {"subject": FIX},
    "author and date": {"subject": "Multiply in groups (#20)", "authored": 5},
}


@pytest.mark.parametrize("likeness", DOUBTS.values(), ids=DOUBTS)
def test_less_is_a_doubt_that_names_the_commit(likeness: dict[str, str | int]) -> None:
    asked = _world(**likeness).read()  # type: ignore[arg-type]
    answer = asked.verdict(12, "main")
    assert (answer.outcome, answer.reason) == ("undetermined", "a mention waits for review")
    assert answer.evidence == (sha_of("again"),)
    (doubt,) = asked.history.resolution.doubts
    assert doubt.mention.sha == sha_of("fix")


def test_another_patch_under_the_title_stays_a_doubt() -> None:
    asked = _read(_world(), fix="p", again="q")
    assert asked.verdict(12, "main").outcome == "undetermined"


OTHERS: dict[str, dict[str, str | int]] = {
    "another title": {"subject": "Multiply in groups (#20)"},
    "a title that tells nothing": {"of": "Bump (#12)", "subject": "Bump (#20)"},
    "another author half a year later": {"author": "dev-b", "at": 9 + 200 * DAY},
    "a fix that names it in its title": {"subject": f"Mend what was wrong in: {FIX} (#20)"},
}


@pytest.mark.parametrize("likeness", OTHERS.values(), ids=OTHERS)
def test_another_change_leaves_it_reverted(likeness: dict[str, str | int]) -> None:
    assert _world(**likeness).read().verdict(12, "main").outcome == "reverted"  # type: ignore[arg-type]


def test_author_date_and_patch_under_a_new_title_are_back_and_another_patch_is_not() -> None:
    written = _world("Multiply in groups (#20)", authored=5)
    told = [_read(written, fix="p", again=patch).verdict(12, "main") for patch in ("p", "q")]
    assert [answer.outcome for answer in told] == ["included", "reverted"]


def test_a_merge_that_brings_a_change_and_its_revert_puts_nothing_back() -> None:
    pull = "Merge pull request #{} from dev-a/f"
    written = Written(branches={"main": "a", "release/1.6": "back"})
    written.commit("start")
    written.commit("a", "start", subject=f"{FIX} (#12)", at=1, authored=1)
    written.commit("a2", "start", subject=FIX, at=3, authored=1)
    message = f"This reverts commit {sha_of('a2')}."
    written.commit("undo", "a2", subject=f'Revert "{FIX}"', message=message, at=4)
    written.commit("back", "start", "undo", subject=pull.format(20), message=FIX, at=5)
    assert written.read().verdict(12, "release/1.6").outcome == "reverted"


def test_a_title_of_many_changes_brings_nothing_back() -> None:
    written, after = _world(), "again"
    for number in range(21, 24):
        written.commit(f"n{number}", after, subject=f"{FIX} (#{number})", at=number)
        after = f"n{number}"
    written.branches["main"] = after
    assert written.read().verdict(12, "main").outcome == "reverted"


def test_what_came_before_the_revert_or_beside_it_brings_nothing_back() -> None:
    written = Written(branches={"main": "undo", "dev": "beside"})
    written.commit("start")
    written.commit("fix", "start", subject=f"{FIX} (#12)", at=5, authored=5)
    written.commit("more", "fix", subject=f"{FIX} (#15)", at=6)
    written.commit("undo", "more", subject="Revert #12", at=7)
    written.commit("beside", "fix", subject=f"{FIX} (#20)", at=8, authored=8)
    asked = written.read()
    assert asked.verdict(12, "main").outcome == "reverted"
    assert asked.verdict(12, "dev").outcome == "included"


def test_what_came_back_can_be_taken_out_again() -> None:
    written = _world(authored=5)
    message = f"This reverts commit {sha_of('again')}."
    written.commit("out", "again", subject=f'Revert "{FIX}" (#21)', message=message, at=10)
    written.branches["main"] = "out"
    asked = written.read()
    assert [asked.verdict(n, "main").outcome for n in (12, 20)] == ["reverted", "reverted"]
    written.commit("third", "out", subject=f"{FIX} (#22)", at=11, authored=5)
    written.branches["main"] = "third"
    asked = written.read()
    assert [asked.verdict(n, "main").outcome for n in (12, 20)] == ["included", "included"]


def test_one_of_two_commits_that_comes_back_is_a_part() -> None:
    written = Written(branches={"main": "a2"})
    written.commit("start")
    written.commit("a", "start", subject="Part one of it", at=1, authored=1)
    written.commit("b", "a", subject="Part two of it", at=2, authored=2)
    written.commit("merge", "start", "b", subject="Merge pull request #12 from dev-a/f", at=3)
    message = f"This reverts commit {sha_of('merge')}."
    written.commit("undo", "merge", subject="Undo", message=message, at=4)
    written.commit("a2", "undo", subject="Part one of it (#20)", at=5, authored=1)
    asked = written.read()
    assert asked.verdict(12, "main").outcome == "partly"
    written.commit("b2", "a2", subject="Part two of it (#21)", at=6, authored=2)
    written.branches["main"] = "b2"
    assert written.read().verdict(12, "main").outcome == "included"


def test_a_merge_or_squash_of_the_old_title_is_a_doubt() -> None:
    pull = "Merge pull request #{} from dev-a/f"
    written = Written(branches={"main": "back"})
    written.commit("start")
    written.commit("a", "start", subject="First try of it", at=1)
    written.commit("merge", "start", "a", subject=pull.format(12), message=FIX, at=2)
    message = f"This reverts commit {sha_of('a')}."
    written.commit("undo", "merge", subject="Undo it", message=message, at=3)
    written.commit("c", "undo", subject="Second try of it", at=4)
    written.commit("back", "undo", "c", subject=pull.format(20), message=FIX, at=5)
    written.commit("squash", "undo", subject=f"{FIX} (#21)", at=6)
    assert written.read().verdict(12, "main").outcome == "undetermined"
    written.branches["main"] = "squash"
    assert written.read().verdict(12, "main").outcome == "undetermined"


@pytest.mark.parametrize(("authored", "outcome"), [(5, "included"), (9, "undetermined")])
def test_a_pick_of_what_came_back_brings_it_along(authored: int, outcome: str) -> None:
    written = _world(authored=authored)
    message = f"(cherry picked from commit {sha_of('again')})"
    written.commit("pick", "start", subject=f"{FIX} (#30)", message=message, at=12)
    written.branches["release/1.7"] = "pick"
    assert written.read().verdict(12, "release/1.7").outcome == outcome


def test_a_request_that_landed_again_on_a_release_branch_alone() -> None:
    written = _world()
    written.branches = {"main": "undo", "release/1.7": "again"}
    asked = written.read()
    assert asked.verdict(12, "main").outcome == "reverted"
    assert asked.verdict(12, "release/1.7").outcome == "undetermined"


@pytest.mark.parametrize("holds", [True, False])
def test_a_person_decides_a_doubt(holds: bool) -> None:
    written = _world()
    written.tags["v1"] = "again"
    bench = Bench(*git(written, "03-06"))
    (item,) = reviews(bench.view())
    answers = [
        decision("03-10", sha=item.sha, role="restore", holds=holds, target=of.mention.sha)
        for of in item.mentions
    ]
    decided = Bench(*git(written, "03-06"), *answers)
    assert bench.outcome(12, "v1") == "undetermined"
    assert decided.outcome(12, "v1") == ("included" if holds else "reverted")
    assert reviews(decided.view()) == []


@pytest.mark.parametrize("words", [f'Revert "{FIX}"', "Revert #12", f"revert: {FIX}"])
def test_patches_are_compared_of_what_landed_again_after_a_revert(words: str) -> None:
    written = _world()
    unlike = written.commits.pop(2)
    assert worth_comparing(written.commits, lambda _: True) == set()
    written.commit("undo", "fix", subject=words, at=7)
    worth = worth_comparing(written.commits, lambda _: True)
    assert worth == {sha_of("fix"), sha_of("again")}
    assert unlike.sha not in worth


def test_patches_are_compared_of_what_keeps_author_and_date_after_a_revert() -> None:
    written = _world("Multiply in groups (#20)", authored=5)
    assert worth_comparing(written.commits, lambda _: True) == {sha_of("fix"), sha_of("again")}
