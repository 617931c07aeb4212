"""One commit that may be a copy of several: the question names them all, under whatever prefix."""

import pytest

from projections.release_inclusion.review import reviews
from tests.projections.release_inclusion.bench import Bench, decision, git
from tests.projections.release_inclusion.histories import Asked, Written, sha_of

FIX = "Remove the padding in routing"


def _world(subject: str = f"{FIX} (#20)", *, again: int = 6, copied: int = 9) -> Written:
    """Write dev with #12, its revert and #14, and main with what may be any of these."""
    first = f"[Dev] {FIX} (#12)"
    written = Written(branches={"main": "copy", "dev": "again"}, tags={"v1": "copy"})
    written.commit("start")
    written.commit("fix", "start", subject=first, at=2, authored=2)
    written.commit("undo", "fix", subject=f'Revert "{first}" (#13)', at=3)
    written.commit("again", "undo", subject=f"[Dev] {FIX} (#14)", at=4, authored=again)
    written.commit("copy", "start", subject=subject, at=9, authored=copied)
    return written


def _told(written: Written, **patches: str) -> tuple[Asked, list[str]]:
    asked = written.read(patches={sha_of(name): patch for name, patch in patches.items()})
    return asked, [asked.verdict(number, "v1").outcome for number in (12, 14)]


@pytest.mark.parametrize("subject", [f"{FIX} (#20)", f"[Main] {FIX} (#20)", FIX, f"cp: {FIX}"])
def test_a_title_under_another_prefix_is_one_question_about_all(subject: str) -> None:
    asked, outcomes = _told(_world(subject))
    assert outcomes == ["undetermined", "undetermined"]
    doubts = [doubt for doubt in asked.history.resolution.doubts if doubt.sha == sha_of("copy")]
    assert [doubt.numbers for doubt in doubts] == [{12, 14}]
    assert set(doubts[0].mention.among) == {sha_of("fix"), sha_of("again")}


def test_author_and_date_of_several_commits_are_a_question_too() -> None:
    written = Written(branches={"main": "copy", "dev": "second"}, tags={"v1": "copy"})
    written.commit("start")
    written.commit("first", "start", subject="Part one of all (#12)", at=2, authored=2)
    written.commit("second", "first", subject="Part two of all (#14)", at=3, authored=2)
    written.commit("copy", "start", subject="Everything at once (#20)", at=9, authored=2)
    assert _told(written)[1] == ["undetermined", "undetermined"]


def test_the_patch_of_one_settles_which() -> None:
    # whether the second try brought the first one back nobody can tell, and so of its copy
    assert _told(_world(), fix="p", again="q", copy="q")[1] == ["undetermined", "included"]
    assert _told(_world(), fix="p", again="q", copy="p")[1] == ["included", "not_included"]


def test_a_copy_of_both_tries_is_both() -> None:
    written = _world(again=2, copied=2)
    assert _told(written)[1] == ["included", "included"]


def test_the_patch_of_all_is_all_of_them() -> None:
    assert _told(_world(), fix="p", again="p", copy="p")[1] == ["included", "included"]


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("subject", [f"{FIX} (#20)", f"cp: {FIX}"])
def test_a_person_decides_about_all_of_them(subject: str, holds: bool) -> None:
    written = _world(subject)
    copied = [
        item for item in reviews(Bench(*git(written, "03-06")).view()) if item.sha == sha_of("copy")
    ]
    (resolved,) = copied[0].mentions
    answer = decision(
        "03-10", sha=sha_of("copy"), role="pick", holds=holds, title=resolved.mention.title
    )
    bench = Bench(*git(written, "03-06"), answer)
    wanted = "included" if holds else "not_included"
    assert [bench.outcome(number, "v1") for number in (12, 14)] == [wanted, wanted]
