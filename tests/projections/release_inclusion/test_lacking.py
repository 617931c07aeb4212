"""What a release lacks, on small histories."""

from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.lacking import Lacking, lacking, lacking_of
from projections.release_inclusion.messages.fixes import Fix
from tests.projections.release_inclusion.bench import Bench, git
from tests.projections.release_inclusion.histories import Written, sha_of

PARSER, CACHE = "Add the parser (#1)", "Add the cache (#2)"


def _main(*after: str) -> Written:
    """Cut release/1 after two changes, tag v1.0 there, and go on with main."""
    written = Written()
    written.line(PARSER, CACHE, *after)
    written.commit("cut", CACHE)
    written.branches = {"main": after[-1] if after else CACHE, "release/1": "cut"}
    written.tags = {"v1.0": "cut"}
    return written


def _lacking(written: Written, tag: str = "v1.0") -> Lacking:
    view = Bench(*git(written, "03-01")).view()
    release = view.release(tag)
    return lacking(view, release, view.predecessor(release))


def test_what_main_reverted_since_is_told() -> None:
    undo = 'Revert "Add the cache (#2)" (#3)'
    (reverted,) = _lacking(_main(undo)).reverted_later
    assert (reverted.number, reverted.by, reverted.commits) == (2, (3,), (sha_of(undo),))


def test_what_was_put_back_on_main_is_not() -> None:
    undo = 'Revert "Add the cache (#2)" (#3)'
    again = f'Revert "{undo}" (#4)'
    assert _lacking(_main(undo, again)).reverted_later == ()


def test_a_later_fix_is_told_with_its_sentence() -> None:
    mend = "Fix a regression introduced by #1 (#3)"
    (fixed,) = _lacking(_main(mend)).fixed_later
    assert (fixed.number, fixed.fix, fixed.sentence) == (1, 3, mend)


def test_a_fix_that_was_picked_is_not_told() -> None:
    written = _main("Fix a regression introduced by #1 (#3)")
    written.commit(
        "pick", "cut", subject="cp: `Fix a regression introduced by #1 (3)` into `r` (#5)"
    )
    written.branches["release/1"] = written.tags["v1.0"] = "pick"
    assert _lacking(written).fixed_later == ()


def test_a_fix_of_what_the_release_lacks_too_is_not_told() -> None:
    later, mend = "Add the index (#4)", "Fix a regression introduced by #4 (#5)"
    assert _lacking(_main(later, mend)).fixed_later == ()


def test_a_fix_that_was_taken_back_is_not_told() -> None:
    mend = "Fix a regression introduced by #1 (#3)"
    assert _lacking(_main(mend, f'Revert "{mend}" (#4)')).fixed_later == ()


def test_a_number_that_no_branch_landed_is_an_issue() -> None:
    assert _lacking(_main("Mend the index, fixes #7 (#8)")).fixed_later == ()


def test_a_fix_by_commit_is_told() -> None:
    written = _main("start of the fix")
    written.commit("mend", "start of the fix", message=f"Fixes: {sha_of(PARSER)[:12]}")
    written.branches["main"] = "mend"
    (fixed,) = _lacking(written).fixed_later
    assert (fixed.number, fixed.fix, fixed.commit) == (1, None, sha_of("mend"))


def test_what_the_release_before_holds_and_it_does_not_is_told() -> None:
    written = _main("Mend the index (#4)")
    written.commit("backport", "cut", subject="Mend only here (#6)")
    written.branches["release/1"] = written.tags["v1.0.1"] = "backport"
    written.tags["v1.1"] = "Mend the index (#4)"
    found = _lacking(written, "v1.1")
    assert found.of_predecessor == (6,)
    assert _lacking(written, "v1.0.1").of_predecessor == ()


def test_a_pick_whose_original_it_holds_is_not_lacking() -> None:
    written = _main("Mend the index (#4)")
    written.commit("pick", "cut", subject="cp: `Mend the index (4)` into `release/1` (#6)")
    written.branches["release/1"] = written.tags["v1.0.1"] = "pick"
    written.tags["v1.1"] = "Mend the index (#4)"
    assert _lacking(written, "v1.1").of_predecessor == ()


def test_one_request_has_its_own_hints_alone() -> None:
    written = _main("Fix a regression introduced by #1 (#3)", 'Revert "Add the cache (#2)" (#4)')
    view = Bench(*git(written, "03-01")).view()
    release = view.release("v1.0")
    assert [fixed.fix for fixed in lacking_of(view, 1, release).fixed_later] == [3]
    assert lacking_of(view, 1, release).reverted_later == ()
    assert [one.number for one in lacking_of(view, 2, release).reverted_later] == [2]
    assert lacking_of(view, 4, release) == Lacking()


def test_fixes_are_kept_by_commit() -> None:
    history = _main("Fixes for #1. (#3)").read(Request(number=3, state="merged")).history
    sentence = "Fixes for #1. (#3)"
    assert history.fixes == {sha_of(sentence): (Fix(sentence=sentence, number=1),)}
