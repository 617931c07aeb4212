"""Equal patches say that two commits are one change, whatever else differs."""

import pytest

from events.instant import DAY
from projections.release_inclusion.history.carriers import CarrierRole, Method
from tests.projections.release_inclusion.histories import Asked, Written, sha_of


def _world(
    subject: str = "Mend how dates are read", *, author: str = "dev-a", days: int = 1
) -> Written:
    """Write main with a fix as #12, and release/1.7 with its patch again, under a title."""
    written = Written(branches={"main": "fix", "release/1.7": "copy"}, tags={"v1.7.1": "copy"})
    written.commit("start")
    written.commit("fix", "start", subject="Fix the parser of dates (#12)", at=6)
    written.commit("copy", "start", subject=subject, at=6 + days * DAY, author=author)
    return written


def _read(written: Written, *names: str) -> Asked:
    return written.read(patches={sha_of(name): "p" for name in ("fix", "copy", *names)})


def _outcome(written: Written, *names: str) -> str:
    return _read(written, *names).verdict(12, "v1.7.1").outcome


@pytest.mark.parametrize("case", [("dev-a", 400), ("dev-b", 100)])
def test_a_patch_under_another_title_makes_a_pick(case: tuple[str, int]) -> None:
    author, days = case
    asked = _read(_world(author=author, days=days))
    assert asked.verdict(12, "v1.7.1").how == "cherry-picked"
    assert [c.method for c in asked.history.carriers.at(sha_of("copy"))] == [Method.SAME_PATCH]
    assert _world(author=author, days=days).read().verdict(12, "v1.7.1").outcome == "not_included"


def test_a_patch_of_another_person_years_later_is_a_question() -> None:
    assert _outcome(_world(author="dev-b", days=400)) == "undetermined"


def test_title_and_patch_of_another_person_years_later_make_a_pick() -> None:
    assert _outcome(_world("Fix the parser of dates", author="dev-b", days=400)) == "included"


def test_of_two_changes_with_one_patch_nobody_can_tell_which_it_is() -> None:
    written = _world()
    written.commit("other", "fix", subject="Fix it once more (#13)", at=7)
    written.branches["main"] = "other"
    asked = _read(written, "other")
    assert {asked.verdict(n, "v1.7.1").outcome for n in (12, 13)} == {"undetermined"}


def test_a_patch_that_many_changes_have_tells_nothing() -> None:
    written = _world()
    names = ("a", "b", "c")
    for name, parent in zip(names, ("fix", "a", "b"), strict=True):
        written.commit(name, parent, subject=f"Update the year {name}", at=7)
    written.branches["main"] = "c"
    assert _outcome(written, *names) == "not_included"


def test_what_takes_back_is_nobodys_copy_and_no_original() -> None:
    """The revert of a revert has the patch of the change itself."""
    written = _world()
    text = f"This reverts commit {sha_of('fix')}."
    written.commit("off", "fix", subject='Revert "Fix the parser"', message=text, at=7)
    text = f"This reverts commit {sha_of('off')}."
    written.commit("on", "off", subject='Revert "Revert "Fix the parser""', message=text, at=8)
    written.branches["main"] = "on"
    assert _outcome(written, "on") == "included"
    assert _outcome(_world('Revert "Mend the parser of hours"')) == "not_included"


def test_a_pick_of_a_change_that_came_from_a_release_brings_both() -> None:
    """#12 is a release's; #20 makes it again on main, and 1.6 picks that by its commit."""
    written = Written(branches={"main": "again", "release/1.7": "fix", "release/1.6": "pick"})
    written.line("start")
    written.commit("fix", "start", subject="Fix the parser of dates (#12)", at=6)
    written.commit("again", "start", subject="Mend how dates are read (#20)", at=7)
    text = f"(cherry picked from commit {sha_of('again')})"
    written.commit("pick", "start", subject="Mend how dates are read", message=text, at=8)
    asked = written.read(patches={sha_of("fix"): "p", sha_of("again"): "p"})
    assert {asked.verdict(n, "release/1.6").outcome for n in (12, 20)} == {"included"}
    assert CarrierRole.TWIN in {c.role for c in asked.history.carriers.at(sha_of("again"))}
