"""Reverts and restores across branches, in whole histories."""

from projections.release_inclusion.history.carriers import CarrierRole
from tests.projections.release_inclusion.histories import Written, line_of, sha_of


def test_a_revert_on_a_release_branch_does_not_revert_main() -> None:
    written = line_of("start", "X (#1)", "Y (#2)")
    written.commit("r", "X (#1)", subject='Revert "X (#1)" (#3)')
    written.branches["release"] = "r"
    asked = written.read()
    assert asked.verdict(1, "main").outcome == "included"
    assert asked.verdict(1, "release").outcome == "reverted"


def test_one_change_reverted_once_on_each_of_two_synced_branches_is_out() -> None:
    written = line_of("start", "X (#1)", 'Revert "X (#1)" (#3)')
    written.commit("d", "X (#1)", subject='Revert "X (#1)" (#4)')
    written.commit("s", "d", 'Revert "X (#1)" (#3)', subject="Sync main into dev (#5)")
    written.branches["dev"] = "s"
    answer = written.read().verdict(1, "dev")
    assert (answer.outcome, sorted(answer.by)) == ("reverted", [3, 4])


def test_a_named_commit_of_another_branch_stands_for_its_request_here() -> None:
    written = line_of("start", "X (#1)", "end")
    written.commit("p", "start", subject="cp: `X (1)` into `r` (#2)")
    message = f"This reverts commit {sha_of('X (#1)')}."
    written.commit("y", "p", subject='Revert "X"', message=message)
    written.branches["r"] = "y"
    asked = written.read()
    assert asked.verdict(1, "r").outcome == "reverted"
    assert asked.verdict(1, "main").outcome == "included"


def test_reverting_the_original_reverts_its_pick_and_its_restore_too() -> None:
    written = line_of(
        "start", "X (#1)", 'Revert "X (#1)" (#2)', 'Reapply "X (#1)" (#3)', 'Revert "X (#1)" (#4)'
    )
    asked = written.read()
    answer = asked.verdict(1, "main")
    assert (answer.outcome, answer.carriers[-1].role) == ("reverted", CarrierRole.RESTORE)


def test_a_pick_of_a_revert_reverts_on_its_branch() -> None:
    written = line_of("start", "X (#1)", 'Revert "X (#1)" (#2)')
    written.commit("p", "X (#1)", subject='cp: `Revert "X (#1)" (2)` into `r` (#3)')
    written.branches["r"] = "p"
    answer = written.read().verdict(1, "r")
    assert (answer.outcome, answer.by) == ("reverted", (3,))


def test_a_reapply_of_a_direct_push_is_not_the_request_of_the_revert() -> None:
    written = line_of("X (#1)", 'Revert "X (#1)" (#2)')
    undo = f"This reverts commit {sha_of(written.branches['main'])}."
    written.commit("r", 'Revert "X (#1)" (#2)', subject='Reapply "X (#1)" (#2)', message=undo)
    written.branches["main"] = "r"
    asked = written.read()
    assert asked.verdict(1, "main").how == "restored"
    assert asked.verdict(2, "main").outcome == "reverted"
    again = f"This reverts commit {sha_of('r')}."
    written.commit("y", "r", subject='Revert "Reapply "X (#1)" (#2)"', message=again)
    written.branches["main"] = "y"
    assert written.read().verdict(1, "main").outcome == "reverted"


def test_a_revert_of_a_reapply_without_a_sha_means_the_reapply() -> None:
    written = line_of(
        "X (#1)",
        'Revert "X (#1)" (#2)',
        'Reapply "X (#1)" (#3)',
        'Revert "Reapply "X (#1)" (#3)" (#4)',
    )
    answer = written.read().verdict(1, "main")
    assert answer.outcome == "reverted"
    assert 4 in answer.by


def test_reverting_a_merge_takes_out_all_that_it_brought() -> None:
    written = line_of("start", "base")
    written.commit("f", "start", subject="Part one (#1)")
    written.commit("g", "f", subject="Part two")
    written.commit("m", "base", "g", subject="Merge pull request #2 from dev-a/f")
    message = f"This reverts commit {sha_of('m')}, reversing\nchanges made to {sha_of('base')}."
    written.commit("y", "m", subject='Revert "Merge pull request #2 from dev-a/f"', message=message)
    written.branches["main"] = "y"
    written.tags["v1"] = "m"
    asked = written.read()
    assert {asked.verdict(n, "main").outcome for n in (1, 2)} == {"reverted"}
    assert {asked.verdict(n, "v1").outcome for n in (1, 2)} == {"included"}


def test_one_reverted_commit_of_a_merge_leaves_the_request_partly_in() -> None:
    written = line_of("start", "base")
    written.commit("f", "start")
    written.commit("g", "f")
    written.commit("m", "base", "g", subject="Merge pull request #2 from dev-a/f")
    written.commit("y", "m", subject='Revert "g"', message=f"This reverts commit {sha_of('g')}.")
    written.branches["main"] = "y"
    answer = written.read().verdict(2, "main")
    assert (answer.outcome, answer.evidence) == ("partly", (sha_of("f"),))


def test_reverting_a_merge_leaves_what_its_branch_took_from_main() -> None:
    written = Written(branches={"main": "undo"})
    written.commit("start")
    written.commit("other (#1)", "start")
    written.commit("work", "start")
    written.commit("from main", "work", "other (#1)", subject="Merge branch 'main' into f")
    written.commit("more", "from main")
    written.commit("main on", "other (#1)", subject="On (#3)")
    written.commit("merge", "main on", "more", subject="Merge pull request #2 from dev-a/f")
    written.commit("undo", "merge", message=f"This reverts commit {sha_of('merge')}.")
    asked = written.read()
    outcomes = {number: asked.verdict(number, "main").outcome for number in (1, 2, 3)}
    assert outcomes == {1: "included", 2: "reverted", 3: "included"}
