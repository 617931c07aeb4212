"""Picks made by hand, without a word of it: sure, doubtful, and no copies at all."""

import pytest

from events.instant import DAY
from projections.release_inclusion.history.carriers import CarrierRole, Method
from tests.projections.release_inclusion.histories import Asked, Written, sha_of

FIX = "Fix the parser of dates"


def _world(
    subject: str = FIX, *, author: str = "dev-a", authored: int = 5, at: int = 9, own: str = ""
) -> Written:
    """Write main with a fix as #12, and release/1.7 with a commit that may be its copy."""
    written = Written(branches={"main": "end", "release/1.7": "copy"}, tags={"v1.7.1": "copy"})
    written.commit("start")
    written.commit("fix", "start", subject=f"{FIX} (#12)", at=6, authored=5)
    written.commit("end", "fix", at=7)
    written.commit("copy", "start", subject=subject + own, at=at, authored=authored, author=author)
    return written


def _told(written: Written, number: int = 12, **patches: str) -> tuple[str, str | None]:
    asked = written.read(patches={sha_of(name): patch for name, patch in patches.items()})
    answer = asked.verdict(number, "v1.7.1")
    return answer.outcome, answer.how


@pytest.mark.parametrize(
    "subject",
    [
        FIX,
        f"[release/1.7] {FIX}",
        f"[1.7] {FIX}",
        f"[backport] {FIX}",
        f"release-1.7: {FIX}",
        f"{FIX} [release-1.7]",
        f"{FIX} #12",
        f"fix: {FIX}",
        FIX.upper(),
    ],
)
def test_author_date_and_title_make_a_pick(subject: str) -> None:
    assert _told(_world(subject)) == ("included", "cherry-picked")


def test_a_copy_with_a_request_of_its_own_is_told_by_that() -> None:
    answer = _world(own=" (#20)").read().verdict(12, "v1.7.1")
    assert (answer.outcome, answer.how, answer.by) == ("included", "cherry-picked", (20,))
    assert [c.method for c in answer.carriers] == [Method.COPY]


def test_a_copy_inside_a_merge_is_told_by_the_request_that_was_merged() -> None:
    written = _world()
    written.commit("merge", "start", "copy", subject="Merge pull request #20 from dev-a/back", at=9)
    written.branches["release/1.7"] = written.tags["v1.7.1"] = "merge"
    answer = written.read().verdict(12, "v1.7.1")
    assert (answer.outcome, answer.how, answer.by) == ("included", "cherry-picked", (20,))


def test_a_copy_of_each_commit_of_a_merge_is_the_whole_and_of_one_a_part() -> None:
    def told(*copied: str, patch: str = "") -> str:
        written = Written(branches={"main": "merge", "r": copied[-1] + "2"})
        written.commit("start")
        written.commit("a", "start", subject="Part one of it", at=1, authored=1)
        written.commit("b", "a", subject="Part two of it", at=2, authored=2)
        written.commit("merge", "start", "b", subject="Merge pull request #12 from dev-a/f", at=3)
        after = "start"
        for name in copied:
            subject, authored = ("Part one of it", 1) if name == "a" else ("Part two of it", 2)
            written.commit(f"{name}2", after, subject=subject, at=5, authored=authored)
            after = f"{name}2"
        patches = {sha_of("a"): "p", sha_of("a2"): patch} if patch else {}
        return written.read(patches=patches).verdict(12, "r").outcome

    assert told("a", "b") == "included"
    assert told("a", patch="p") == "partly"
    # it may be all of them, squashed under the first one's title
    assert (told("a", patch="q"), told("a")) == ("undetermined", "undetermined")


def test_a_revert_takes_out_the_copy_too() -> None:
    written = _world()
    written.commit("undo", "copy", subject=f'Revert "{FIX} (#12)"')
    written.branches["release/1.7"] = written.tags["v1.7.1"] = "undo"
    assert _told(written) == ("reverted", None)


def test_a_copy_of_a_copy_leads_to_the_first() -> None:
    written = _world()
    written.commit("older", "start", subject=FIX, at=12, authored=5)
    written.branches["release/1.6"] = written.tags["v1.7.1"] = "older"
    assert _told(written) == ("included", "cherry-picked")


def test_a_fix_of_a_release_branch_copied_to_another_one() -> None:
    written = Written(branches={"main": "end", "release/1.7": "fix", "release/1.6": "copy"})
    written.line("start", "end")
    written.commit("fix", "start", subject=f"{FIX} (#12)", at=6, authored=5)
    written.commit("copy", "start", subject=FIX, at=9, authored=5)
    assert written.read().verdict(12, "release/1.6").outcome == "included"


DOUBTS = {
    "author and date alone": {"subject": "Mend how dates are read"},
    "an equal title alone, of the author": {"authored": 8},
    "an equal title alone, of another one": {"author": "dev-b", "authored": 8},
    "an equal title of another request": {"authored": 8, "own": " (#20)"},
}


@pytest.mark.parametrize("likeness", DOUBTS.values(), ids=DOUBTS)
def test_less_is_a_doubt_that_names_the_commit(likeness: dict[str, str | int]) -> None:
    answer = _world(**likeness).read().verdict(12, "v1.7.1")  # type: ignore[arg-type]
    assert (answer.outcome, answer.reason) == ("undetermined", "a mention waits for review")
    assert answer.evidence == (sha_of("copy"),)


@pytest.mark.parametrize("likeness", DOUBTS.values(), ids=DOUBTS)
def test_an_equal_patch_settles_a_doubt_and_another_patch_does_not(
    likeness: dict[str, str | int],
) -> None:
    written = _world(**likeness)  # type: ignore[arg-type]
    assert _told(written, fix="p", copy="p") == ("included", "cherry-picked")
    assert _told(written, fix="p", copy="q") == ("undetermined", None)
    assert _told(written, copy="p") == ("undetermined", None)


NO_COPIES = {
    "another title, author and date": {"subject": "Write the notes", "authored": 8},
    "two authors and more than half a year": {
        "author": "dev-b",
        "authored": 8,
        "at": 9 + 200 * DAY,
    },
    "a copy of what came later": {"authored": 3, "at": 3},
}


@pytest.mark.parametrize("likeness", NO_COPIES.values(), ids=NO_COPIES)
def test_what_looks_like_nothing_is_firmly_absent(likeness: dict[str, str | int]) -> None:
    assert _told(_world(**likeness)) == ("not_included", None)  # type: ignore[arg-type]


def test_a_title_that_many_changes_have_tells_nothing() -> None:
    written = _world(authored=8)
    after = "end"
    for name in ("f2", "f3", "f4"):
        written.commit(name, after, subject=FIX, at=7)
        after = name
    written.branches["main"] = after
    assert _told(written) == ("not_included", None)


def test_two_originals_are_one_question() -> None:
    written = _world()
    written.commit("again", "end", subject=f"{FIX} (#13)", at=7, authored=5)
    written.branches["main"] = "again"
    asked = written.read()
    answers = [asked.verdict(number, "v1.7.1") for number in (12, 13)]
    assert {answer.outcome for answer in answers} == {"undetermined"}
    assert len(asked.history.resolution.doubts) == 1


def test_a_port_to_the_default_branch_is_told_as_both() -> None:
    written = Written(branches={"main": "port", "dev": "fix"}, tags={"v2": "port"})
    written.line("start")
    written.commit("fix", "start", subject=f"[Dev] {FIX} (#12)", at=6, authored=5)
    written.commit("port", "start", subject=f"{FIX} (#20)", at=9, authored=5)
    asked = written.read()
    first, second = asked.verdict(12, "v2"), asked.verdict(20, "v2")
    assert (first.outcome, first.how, first.by) == ("included", "via", (20,))
    assert (second.outcome, second.how) == ("included", "direct")
    assert [c.role for c in first.carriers] == [CarrierRole.TWIN]


# --- numbers that a title keeps ------------------------------------------------------------------


def _numbered(subject: str) -> Asked:
    written = Written(branches={"main": "end", "release/1.7": "copy"}, tags={"v1.7.1": "copy"})
    written.line("start", f"{FIX} (#12)", "end")
    written.commit("copy", "start", subject=subject, authored=99, author="dev-b")
    return written.read()


@pytest.mark.parametrize(
    "subject",
    [
        f"{FIX} (#12) (#20)",
        f"[release/1.7] {FIX} (#12) (#20)",
        f"chore: {FIX} (#12) (#20)",
        f"[1.7] {FIX} (#12) (#20)",
    ],
)
def test_a_number_before_the_own_one_under_the_title_is_the_original(subject: str) -> None:
    answer = _numbered(subject).verdict(12, "v1.7.1")
    assert (answer.outcome, answer.how, answer.by) == ("included", "cherry-picked", (20,))


def test_a_number_before_the_own_one_under_another_title_is_a_doubt() -> None:
    asked = _numbered("Follow what was decided (#12) (#20)")
    assert asked.verdict(12, "v1.7.1").outcome == "undetermined"


def test_a_number_before_the_own_one_that_no_commit_lands_is_an_issue() -> None:
    asked = _numbered(f"{FIX} (#11) (#20)")
    assert asked.history.doubts.get(11) is None
    assert asked.history.carriers.of(11) == ()
