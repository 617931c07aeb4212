"""Questions about the past: what was so at T, and what was known of it at K."""

import pytest

from events.errors import NotFound
from projections.release_inclusion.answers import branches
from projections.release_inclusion.review import reviews
from tests.builders import at
from tests.projections.release_inclusion.bench import (
    Bench,
    alias,
    commits,
    dated,
    decision,
    fetched,
    git,
    push,
    read_refs,
)
from tests.projections.release_inclusion.histories import Written, line_of, sha_of

MAIN = "refs/heads/main"


def _in_march() -> Written:
    """One request on each of five days on main; `release-1` leaves it on the third."""
    written = line_of("A (#1)", "B (#2)", "C (#3)", "D (#4)", "E (#5)")
    written.commit("fix", "C (#3)", subject="Fix (#6)")
    written.branches["release-1"] = "fix"
    days = {name: f"03-0{day}" for day, name in enumerate(("A", "B", "C", "D", "E"), 1)}
    subjects = {f"{name} (#{n})": days[name] for n, name in enumerate(days, 1)}
    return dated(written, **subjects, fix="03-04 12:00:00")


# --- branches ----------------------------------------------------------------------------------


def test_before_its_first_sight_a_branch_stood_where_its_history_tells() -> None:
    bench = Bench(*git(_in_march(), "03-20"))
    found = {}
    for day in ("03-01", "03-02 12:00:00", "03-04"):
        main = bench.view(as_of=day).refs[MAIN]
        assert main.evidence == "reconstructed"
        found[day] = main.sha
    assert found == {
        "03-01": sha_of("A (#1)"),
        "03-02 12:00:00": sha_of("B (#2)"),
        "03-04": sha_of("D (#4)"),
    }
    assert bench.view(as_of="03-05").refs[MAIN].evidence == "assumed"


def test_a_branch_was_not_there_before_it_was_cut() -> None:
    """Its first-parent history goes on into main's, and that is main's own."""
    bench = Bench(*git(_in_march(), "03-20"))
    assert set(bench.view(as_of="03-04").history.branches) == {"main"}
    assert set(bench.view(as_of="03-04 12:00:00").history.branches) == {"main", "release-1"}


def test_clocks_of_committers_that_run_backwards_do_not_turn_a_branch_back() -> None:
    written = dated(
        line_of("A (#1)", "B (#2)", "C (#3)", "D (#4)"),
        **{"A (#1)": "03-01", "B (#2)": "03-05", "C (#3)": "03-02", "D (#4)": "03-08"},
    )
    bench = Bench(*git(written, "03-20"))
    assert bench.view(as_of="03-03").refs[MAIN].sha == sha_of("A (#1)")
    assert bench.view(as_of="03-05").refs[MAIN].sha == sha_of("C (#3)")


def test_before_the_first_push_a_branch_stood_where_that_push_began() -> None:
    bench = Bench(*git(_in_march(), "03-20"), push(MAIN, "B (#2)", "E (#5)", "03-10"))
    assert bench.view(as_of="03-06").refs[MAIN].sha == sha_of("B (#2)")
    assert bench.view(as_of="03-10").refs[MAIN].sha == sha_of("E (#5)")


def test_a_branch_that_a_push_created_was_not_there_before() -> None:
    bench = Bench(push("refs/heads/release-1", None, "fix", "03-10"), *git(_in_march(), "03-20"))
    assert "refs/heads/release-1" not in bench.view(as_of="03-08").refs
    assert bench.view(as_of="03-10").refs["refs/heads/release-1"].evidence == "pushed"


def test_a_branch_that_was_pushed_and_not_fetched_yet_answers_as_it_was_last_held() -> None:
    bench = Bench(*git(_in_march(), "03-20"), push(MAIN, "E (#5)", "F", "03-21"))
    view = bench.view()
    assert view.refs[MAIN].sha == sha_of("F")
    assert view.history.branches["main"] == sha_of("E (#5)")
    assert [one.branch for one in branches(view, 5)] == ["main"]


# --- tags --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", ["pushes", "readings"])
def test_a_moved_tag_has_its_old_contents_for_its_time(seen: str) -> None:
    written, tag = _in_march(), "refs/tags/v1.0"
    read = git(written, "03-20")
    if seen == "pushes":
        moves = [push(tag, None, "B (#2)", "03-10"), push(tag, "B (#2)", "D (#4)", "03-15")]
        bench = Bench(*moves, *read)
    else:
        written.tags["v1.0"] = "B (#2)"
        moved = fetched(tag, "D (#4)", "03-15", before="B (#2)", since="03-12")
        later = ("03-15", read_refs([moved], "03-15", previous="1"))
        bench = Bench(*git(written, "03-12"), later)
    assert bench.outcome(4, "v1.0", as_of="03-14 23:59:59") == "not_included"
    assert bench.outcome(4, "v1.0", as_of="03-15") == "included"
    assert bench.new("v1.0", as_of="03-14") == [1, 2]
    if seen == "readings":
        assert bench.outcome(4, "v1.0", known_at="03-14") == "not_included"


def test_a_deleted_tag_was_there_for_its_time_and_may_come_back() -> None:
    tag = "refs/tags/v1.0"
    bench = Bench(
        push(tag, None, "B (#2)", "03-10"),
        push(tag, "B (#2)", None, "03-12"),
        push(tag, None, "C (#3)", "03-14"),
        *git(_in_march(), "03-20"),
    )
    assert bench.outcome(2, "v1.0", as_of="03-11") == "included"
    for day in ("03-09", "03-12", "03-13"):
        with pytest.raises(NotFound, match=r"no tag v1\.0 is known"):
            bench.outcome(2, "v1.0", as_of=day)
    assert bench.outcome(3, "v1.0", as_of="03-14") == "included"


def test_a_tag_that_appeared_later_is_no_predecessor_then_or_afterwards() -> None:
    bench = Bench(
        push("refs/tags/v2.0", None, "D (#4)", "03-10"),
        push("refs/tags/v1.0", None, "B (#2)", "03-15"),
        *git(_in_march(), "03-20"),
    )
    assert bench.new("v2.0", as_of="03-12") == [1, 2, 3, 4]
    assert bench.new("v2.0", as_of="03-16") == [1, 2, 3, 4]
    assert bench.new("v2.0", as_of="03-16", against="v1.0") == [3, 4]


# --- aliases -----------------------------------------------------------------------------------


def test_an_alias_means_what_was_decided_by_then() -> None:
    written = _in_march()
    written.tags.update({"v1.0": "B (#2)", "v2.0": "D (#4)"})
    bench = Bench(
        *git(written, "03-06"),
        alias("26.03", "v1.0", "03-10"),
        alias("26.03", "v2.0", "03-12"),
        alias("26.03", None, "03-14"),
    )
    assert bench.view(known_at="03-11").release("26.03").tag == "v1.0"
    assert bench.view(known_at="03-13").release("26.03").tag == "v2.0"
    assert bench.outcome(4, "26.03", known_at="03-11") == "not_included"
    assert bench.outcome(4, "26.03", known_at="03-13") == "included"
    assert bench.view(known_at="03-11").release("v1.0").aliases == ("26.03",)
    for known_at in ("03-09", "03-15"):
        with pytest.raises(NotFound, match=r"no tag 26\.03"):
            bench.view(known_at=known_at).release("26.03")


def test_an_alias_holds_for_all_of_the_past_and_follows_its_tag_only() -> None:
    """Curation has known time only; a new patch release moves no alias."""
    written = _in_march()
    written.tags.update({"v1.0": "B (#2)", "v1.0.1": "D (#4)"})
    bench = Bench(*git(written, "03-06"), alias("26.03", "v1.0", "03-10"))
    assert bench.view(as_of="03-03").release("26.03").tag == "v1.0"
    assert bench.view().release("26.03").tag == "v1.0"


# --- decisions about mentions ------------------------------------------------------------------

DOUBTED = "Revert #1 but keep its tests (#2)"


def _doubted(*decisions: tuple[str, bool]) -> Bench:
    written = line_of("Add the big parser (#1)", DOUBTED, v1=DOUBTED)
    answers = [
        decision(when, sha=sha_of(DOUBTED), role="revert", holds=holds, number=1)
        for when, holds in decisions
    ]
    return Bench(*git(written, "03-06"), *answers)


def test_a_revert_that_says_more_than_a_number_waits_for_a_person() -> None:
    bench = _doubted()
    assert bench.ask(1, "v1").verdict.reason == "a mention waits for review"
    (item,) = reviews(bench.view())
    assert (item.sha, item.subject_numbers) == (sha_of(DOUBTED), (1,))


def test_the_last_decision_by_k_holds() -> None:
    bench = _doubted(("03-10", True), ("03-12", False))
    outcomes = [bench.outcome(1, "v1", known_at=day) for day in ("03-09", "03-11", "03-13")]
    assert outcomes == ["undetermined", "reverted", "included"]
    assert reviews(bench.view()) == []


def test_a_person_may_add_what_no_message_states() -> None:
    written = line_of("Add the big parser (#1)", "Drop it again (#2)", v1="Drop it again (#2)")
    added = decision("03-10", sha=sha_of("Drop it again (#2)"), role="revert", holds=True, number=1)
    bench = Bench(*git(written, "03-06"), added)
    assert bench.outcome(1, "v1", known_at="03-09") == "included"
    verdict = bench.ask(1, "v1").verdict
    assert (verdict.outcome, verdict.by) == ("reverted", (2,))


def test_a_person_may_add_a_pick_and_take_it_back() -> None:
    written = line_of("start", "A (#1)")
    written.commit("copy", "start", subject="Same thing (#9)")
    written.branches["release-1"] = written.tags["v1"] = "copy"
    said = {"sha": sha_of("copy"), "role": "pick", "number": 1}
    bench = Bench(
        *git(written, "03-06"),
        decision("03-10", holds=True, **said),
        decision("03-12", holds=False, **said),
    )
    outcomes = [bench.outcome(1, "v1", known_at=day) for day in ("03-09", "03-11", "03-13")]
    assert outcomes == ["not_included", "included", "not_included"]


# --- former names ------------------------------------------------------------------------------


def _renamed(*names: str) -> Bench:
    written = Written()
    written.commit("X", subject="X (#1)")
    written.commit("undo", "X", subject="Take X out (#2)", message="Reverts Old/Widget#1")
    written.branches["main"] = written.tags["v1"] = "undo"
    _, (_, refs) = git(written, "03-06")
    seen = [
        (f"03-0{day}", read_refs([], f"03-0{day}", previous=name, name=name))
        for day, name in enumerate(names, 1)
    ]
    return Bench(*seen, ("03-06", commits(written, "03-06")), ("03-06", refs))


def test_a_revert_of_a_former_name_of_the_repository_counts() -> None:
    assert _renamed("old/widget", "acme/widget").outcome(1, "v1") == "reverted"


def test_a_revert_in_another_repository_does_not() -> None:
    assert _renamed("acme/widget").outcome(1, "v1") == "included"


def test_a_former_name_counts_from_when_it_was_known() -> None:
    bench = _renamed("acme/widget")
    late = Bench(*bench.arrivals, ("03-20", read_refs([], "03-20", name="old/widget")))
    assert late.outcome(1, "v1", known_at="03-19") == "included"
    assert late.outcome(1, "v1") == "reverted"


def test_a_point_is_inclusive() -> None:
    bench = Bench(push("refs/tags/v1", None, "A (#1)", "03-10"), *git(_in_march(), "03-20"))
    assert bench.view(as_of="03-10").release("v1").at == at("03-10")
