"""V cases of the field, and the routes by which a request reaches a release."""

import pytest

from events.errors import NotFound
from projections.release_inclusion.history.carriers import CarrierRole, Method, Request
from projections.release_inclusion.history.verdicts import first_shipped
from tests.projections.release_inclusion.histories import Asked, Written, line_of, sha_of

# --- V01 ---------------------------------------------------------------------------------------


def test_v01_a_tag_on_the_merge_commit_includes_it_whatever_the_clocks_say() -> None:
    written = Written(branches={"main": "b"}, tags={"v1.0.0": "a", "v1.1.0": "b"})
    written.commit("a", subject="Add a (#70)", at=2_000_000)
    written.commit("b", "a", subject="Add b (#71)", at=1_000_000)
    asked = written.read()
    assert asked.included("v1.0.0") == {70}
    assert asked.included("v1.1.0", without="v1.0.0") == {71}


def test_v01_tags_pushed_on_one_day_are_split_by_ancestry() -> None:
    asked = line_of(
        "A (#1)", "B (#2)", "C (#3)", **{"v0.1": "A (#1)", "v0.2": "B (#2)", "v0.3": "C (#3)"}
    ).read()
    assert asked.included("v0.1") == {1}
    assert asked.included("v0.2", without="v0.1") == {2}
    assert asked.included("v0.3", without="v0.2") == {3}


# --- V02 ---------------------------------------------------------------------------------------


def _backported() -> Asked:
    written = line_of(
        "start", "A (#80)", "B (#81)", "C (#82)", **{"v1.0.0": "start", "v2.0.0": "C (#82)"}
    )
    trailer = f"(cherry picked from commit {sha_of('C (#82)')})"
    written.commit("c'", "start", subject="C (#90)", message=trailer)
    written.branches["release-1.0"] = "c'"
    written.tags["v1.0.1"] = "c'"
    return written.read()


def test_v02_a_backport_brings_its_original_and_nothing_else_of_the_main_line() -> None:
    asked = _backported()
    assert asked.included("v1.0.1", without="v1.0.0") == {82, 90}
    answer = asked.verdict(82, "v1.0.1", against="v1.0.0")
    assert (answer.how, answer.by, answer.new) == ("cherry-picked", (90,), True)
    assert asked.history.carriers.carried_by(90) == (82,)
    assert asked.verdict(80, "v1.0.1").outcome == "not_included"
    assert asked.verdict(80, "v1.0.1").branches == ("main",)


def test_a_merged_backport_is_what_brought_the_picks_that_git_made_inside_it() -> None:
    written = line_of("start", "Fix x (#12)")
    written.branches["r1"] = "m"
    trailer = f"(cherry picked from commit {sha_of('Fix x (#12)')})"
    written.commit("p", "start", subject="Fix x (#12)", message=trailer)
    branch = f"patchback/backports/r1/{sha_of('Fix x (#12)')}/pr-12"
    written.commit("m", "start", "p", subject=f"Merge pull request #34 from acme/{branch}")
    answer = written.read().verdict(12, "r1")
    assert (answer.outcome, answer.how, answer.by) == ("included", "cherry-picked", (34,))


def test_v02_the_next_release_knows_where_it_shipped_first() -> None:
    asked = _backported()
    assert {80, 81, 82} <= asked.included("v2.0.0")
    releases = [(tag, asked.tips[tag]) for tag in ("v1.0.0", "v1.0.1", "v2.0.0")]
    assert first_shipped(asked.history, 82, releases) == "v1.0.1"
    assert first_shipped(asked.history, 80, releases) == "v2.0.0"
    assert asked.verdict(82, "v2.0.0").how == "direct"


def test_a_trailer_that_names_the_head_of_a_request_means_that_request() -> None:
    written = line_of("start", "A (#80)")
    head = sha_of("never fetched")
    written.commit("p", "start", subject="A", message=f"(cherry picked from commit {head})")
    written.tags["v1"] = "p"
    asked = written.read(Request(number=80, head=head))
    assert asked.verdict(80, "v1").how == "cherry-picked"


def test_a_chain_of_picks_leads_to_the_first_request() -> None:
    written = line_of("start", "A (#80)")
    for name, origin in (("p", "A (#80)"), ("q", "p")):
        written.commit(
            name, "start", subject="A", message=f"(cherry picked from commit {sha_of(origin)})"
        )
    written.tags["v1"] = "q"
    assert written.read().verdict(80, "v1").how == "cherry-picked"


def test_a_pick_by_a_merged_branch_is_the_commit_inside_and_is_via_the_merge() -> None:
    written = line_of("start", "A (#12)")
    written.commit("inner", "start", subject="A (#12)")
    written.commit("other", "start")
    written.commit(
        "m", "other", "inner", subject="Merge pull request #34 from acme/cherry-pick-12-r1"
    )
    written.branches["r1"] = written.tags["v1"] = "m"
    asked = written.read()
    answer = asked.verdict(12, "v1")
    assert (answer.how, answer.by, answer.evidence) == ("cherry-picked", (34,), (sha_of("inner"),))
    assert asked.verdict(34, "v1").outcome == "included"


# --- V04 ---------------------------------------------------------------------------------------


def test_v04_of_several_numbers_the_last_at_the_end_is_its_own() -> None:
    asked = line_of(
        "Fix typo (acme/other#11774) (#4591)",
        'Revert "Tune timeouts (#4592)" (#4597)',
        "Cluster stuck(#3553) (#3642)",
        "Bump lib from #3 to #4 (#77)",
        "Follow-up to #1 and #3",
        v1="Follow-up to #1 and #3",
    ).read()
    assert asked.included("v1") == {4591, 4597, 3642, 77}


def test_v04_what_the_api_says_of_a_commit_beats_its_text() -> None:
    written = line_of("Fix (#99)", v1="Fix (#99)")
    asked = written.read(Request(number=55, state="merged", merge_commit=sha_of("Fix (#99)")))
    assert asked.included("v1") == {55}
    assert asked.history.carriers.of(55)[0].method is Method.MERGE_COMMIT


# --- V06 ---------------------------------------------------------------------------------------


def test_v06_a_rebase_merge_is_included_with_all_its_commits_and_partly_with_some() -> None:
    written = line_of("start (#90)", "a'", "b'", **{"v1.0": "a'", "v1.1": "b'"})
    asked = written.read(Request(number=91, state="merged", merge_commit=sha_of("b'"), commits=2))
    part = asked.verdict(91, "v1.0")
    assert (part.outcome, part.evidence) == ("partly", (sha_of("a'"),))
    assert asked.verdict(91, "v1.1", against="v1.0").outcome == "included"
    assert asked.verdict(91, "v1.1", against="v1.0").new is True
    assert len(asked.history.carriers.of(91)) == 2


def test_v06_a_squash_of_several_commits_stays_one_commit() -> None:
    written = line_of("start", "All of it (#91)", v1="All of it (#91)")
    asked = written.read(
        Request(number=91, state="merged", merge_commit=sha_of("All of it (#91)"), commits=5)
    )
    assert [c.sha for c in asked.history.carriers.of(91)] == [sha_of("All of it (#91)")]


def test_v06_a_rebase_whose_empty_commits_were_dropped_stops_at_the_landing_before() -> None:
    written = line_of("x", "y", v1="y")
    asked = written.read(
        Request(number=90, state="merged", merge_commit=sha_of("x"), commits=1),
        Request(number=91, state="merged", merge_commit=sha_of("y"), commits=3),
    )
    assert [c.sha for c in asked.history.carriers.of(91)] == [sha_of("y")]


# --- V07, V08 ----------------------------------------------------------------------------------


def test_v07_a_revert_in_the_same_release_means_that_it_never_shipped() -> None:
    asked = line_of(
        "X (#95)", 'Revert "X (#95)" (#96)', **{"v1.0": 'Revert "X (#95)" (#96)'}
    ).read()
    answer = asked.verdict(95, "v1.0")
    assert (answer.outcome, answer.by) == ("reverted", (96,))
    assert answer.carriers[0].sha == sha_of("X (#95)")


def test_v07_a_revert_after_a_release_removes_it_from_the_next() -> None:
    asked = line_of(
        "X (#97)", 'Revert "X (#97)" (#98)', **{"v1.0": "X (#97)", "v1.1": 'Revert "X (#97)" (#98)'}
    ).read()
    assert asked.verdict(97, "v1.0").outcome == "included"
    answer = asked.verdict(97, "v1.1", against="v1.0")
    assert (answer.outcome, answer.by) == ("removed", (98,))


CHAIN = ("Add X (#95)", 'Revert "Add X (#95)" (#96)', 'Revert "Revert "Add X (#95)" (#96)" (#97)')


def test_v08_a_revert_of_the_revert_ships_it_by_the_last() -> None:
    asked = line_of(*CHAIN, **{"v1.0": CHAIN[2]}).read()
    answer = asked.verdict(95, "v1.0")
    assert (answer.outcome, answer.how, answer.by) == ("included", "restored", (97,))


def test_v08_across_releases_it_is_out_of_the_first_and_in_the_second() -> None:
    asked = line_of(*CHAIN, **{"v1.0": CHAIN[1], "v1.1": CHAIN[2]}).read()
    assert asked.verdict(95, "v1.0").outcome == "reverted"
    answer = asked.verdict(95, "v1.1", against="v1.0")
    assert (answer.outcome, answer.by, answer.new) == ("included", (97,), True)


def test_v08_chains_of_any_depth_toggle_on_a_single_line() -> None:
    subjects = ["Add X (#1)"]
    for number in range(2, 9):
        subjects.append(f'Revert "{subjects[-1]}" (#{number})')
    asked = line_of(*subjects, **{f"v{n}": s for n, s in enumerate(subjects)}).read()
    outcomes = [asked.verdict(1, f"v{n}").outcome for n in range(len(subjects))]
    assert outcomes == ["included", "reverted"] * 4


# --- V14, L10 ----------------------------------------------------------------------------------


def test_v14_a_merge_without_a_merge_commit_is_found_by_its_head() -> None:
    written = line_of("start", "head", "more", v1="more")
    found = written.read(Request(number=110, state="merged", head=sha_of("head")))
    assert found.verdict(110, "v1").outcome == "included"
    lost = written.read(Request(number=110, state="merged", head=sha_of("elsewhere")))
    assert (lost.verdict(110, "v1").outcome, lost.verdict(110, "v1").reason) == (
        "undetermined",
        "no commit is known",
    )


def test_v14_the_test_merge_of_an_open_request_is_no_landing() -> None:
    written = line_of("start", "test merge", v1="test merge")
    asked = written.read(Request(number=111, state="open", merge_commit=sha_of("test merge")))
    assert (asked.verdict(111, "v1").outcome, asked.verdict(111, "v1").reason) == (
        "not_included",
        "open",
    )


def test_v14_a_commit_of_two_requests_is_the_one_whose_number_it_ends_with() -> None:
    written = line_of("start", "C (#120)")
    written.branches["release"] = "C (#120)"
    same = sha_of("C (#120)")
    asked = written.read(
        Request(number=120, state="merged", merge_commit=same, base="main"),
        Request(number=121, state="merged", merge_commit=same, base="release"),
    )
    roles = {c.number: c.role for c in asked.history.carriers.at(same)}
    assert roles == {120: CarrierRole.LANDING, 121: CarrierRole.SYNC}


def test_l10_a_stacked_request_arrives_via_the_request_below_it() -> None:
    written = line_of("start", "base")
    written.commit("s", "start", subject="Child (#41)")
    written.branches["feat-a"] = "s"
    alone = written.read()
    assert alone.verdict(41, "main").outcome == "not_included"
    assert alone.verdict(41, "main").reason == "on other branches only"
    written.commit("m", "base", "s", subject="Merge pull request #40 from acme/feat-a")
    written.branches["main"] = "m"
    answer = written.read().verdict(41, "main")
    assert (answer.outcome, answer.how, answer.by) == ("included", "via", (40,))


def test_a_sync_brings_what_it_merges_and_is_told_apart() -> None:
    written = line_of("start", "A (#1)", "B (#2)", "C (#3)")
    written.commit("d", "start", subject="D (#4)")
    written.commit("s", "d", "C (#3)", subject="chore: nightly sync main into dev (13_07) (#5)")
    written.branches["dev"] = "s"
    asked = written.read()
    assert asked.history.carriers.of(5)[0].role is CarrierRole.SYNC
    answer = asked.verdict(1, "dev")
    assert (answer.how, answer.by) == ("via", (5,))
    assert asked.verdict(4, "main").branches == ("dev",)


def test_not_included_says_why() -> None:
    written = line_of("A (#1)", "B (#2)", v1="A (#1)")
    asked = written.read(
        Request(number=7, state="open"), Request(number=8, state="closed"), Request(number=9)
    )
    reasons = {n: asked.verdict(n, "v1").reason for n in (2, 7, 8, 9, 10)}
    assert reasons == {
        2: "after the cut",
        7: "open",
        8: "closed without a merge",
        9: "nothing is known of it",
        10: "nothing is known of it",
    }


def test_a_tip_that_was_not_read_is_not_found() -> None:
    asked = line_of("A (#1)", "B (#2)").read()
    with pytest.raises(NotFound):
        asked.history.is_in(sha_of("A (#1)"), sha_of("A (#1)"))
