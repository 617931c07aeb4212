"""What cannot be known is said to be undetermined, with the commits to look at."""

from projections.release_inclusion.history.carriers import Request
from tests.projections.release_inclusion.histories import Written, line_of, sha_of


def test_a_revert_without_a_target_beside_a_live_carrier_is_undetermined() -> None:
    written = line_of("start", 'Revert "X (#1)" (#3)')
    written.commit("x", "start", subject="X (#1)")
    written.commit("s", "x", 'Revert "X (#1)" (#3)', subject="Sync main into dev (#5)")
    written.branches["dev"] = "s"
    answer = written.read().verdict(1, "dev")
    assert (answer.outcome, answer.reason) == ("undetermined", "a revert found no target")
    assert answer.evidence == (sha_of('Revert "X (#1)" (#3)'),)


def test_a_revert_by_a_title_that_two_changes_have_waits_for_a_person() -> None:
    asked = line_of(
        "Add the parser (#1)", "Add the parser (#3)", 'Revert "Add the parser" (#2)'
    ).read()
    assert asked.verdict(1, "main").reason == "a mention waits for review"
    assert asked.verdict(3, "main").reason == "a mention waits for review"


def test_a_revert_of_some_of_a_change_leaves_it_undetermined_where_it_is() -> None:
    """As open-telemetry/opentelemetry-collector#10715: the commit says `This (mostly) reverts`."""
    written = line_of("Delete the date (#1)", "Go on (#2)", v1="Delete the date (#1)")
    message = f"This (mostly) reverts commit {sha_of('Delete the date (#1)')[:7]}."
    written.commit("some", "Go on (#2)", subject="Re-add the version (#3)", message=message)
    written.branches["main"] = written.tags["v2"] = "some"
    asked = written.read()
    answer = asked.verdict(1, "v2")
    assert (answer.outcome, answer.evidence) == ("undetermined", (sha_of("some"),))
    assert asked.verdict(1, "v1").outcome == "included"
    assert asked.verdict(3, "v2").outcome == "included"


def test_a_restore_by_title_waits_for_a_person_and_a_pick_too() -> None:
    written = line_of(
        "Add the parser (#1)", 'Revert "Add the parser (#1)" (#2)', "[Reapply] Add the parser (#3)"
    )
    written.commit("p", subject="cp: `Add the parser` into `r` (#4)")
    written.branches["r"] = "p"
    asked = written.read()
    assert asked.verdict(1, "main").reason == "a mention waits for review"
    assert asked.verdict(1, "r").reason == "a mention waits for review"


def test_a_doubtful_pick_changes_nothing_where_the_request_is_in_anyway() -> None:
    asked = line_of("Add the parser (#1)", "cp: Add the parser (#4)").read()
    assert asked.verdict(1, "main").outcome == "included"


def test_v13_a_shallow_history_never_says_not_included() -> None:
    written = Written(branches={"main": "b"}, tags={"v1": "b"})
    written.commit("b", "a", subject="B (#2)")
    asked = written.read(Request(number=1, state="open"))
    assert asked.verdict(2, "v1").outcome == "included"
    answer = asked.verdict(1, "v1")
    assert (answer.outcome, answer.reason) == ("undetermined", "history is incomplete")
    assert answer.missing == (sha_of("a"),)
