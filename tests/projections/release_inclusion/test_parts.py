"""Parts of landings, stacks and restores: what came along, and how much of it."""

import pytest

from projections.release_inclusion.history.carriers import CarrierRole, Request
from projections.release_inclusion.history.matrix import Matrix
from tests.projections.release_inclusion.histories import Asked, Written, line_of, sha_of


def _picked(name: str) -> str:
    return f"(cherry picked from commit {sha_of(name)})"


def _series(*picks: tuple[str, str]) -> Asked:
    """#91 lands on main as a', b' and c'; `release` has (name, trailers) on top of the start."""
    written = line_of("start (#90)", "a'", "b'", "c'")
    before = "start (#90)"
    for name, message in picks:
        written.commit(name, before, subject=f"Pick {name}", message=message)
        before = name
    written.branches["release"] = written.tags["v1"] = before
    return written.read(Request(number=91, state="merged", merge_commit=sha_of("c'"), commits=3))


@pytest.mark.parametrize(
    ("picks", "outcome"),
    [
        ((("p", _picked("a'")),), "partly"),
        ((("p", _picked("a'")), ("q", _picked("b'"))), "partly"),
        ((("p", _picked("a'")), ("q", _picked("b'")), ("r", _picked("c'"))), "included"),
        ((("p", "\n".join(_picked(one) for one in ("a'", "b'", "c'"))),), "included"),
        ((("p", "\n".join(_picked(one) for one in ("a'", "c'"))),), "partly"),
    ],
)
def test_picks_of_a_rebase_merge_bring_the_commits_that_they_name(
    picks: tuple[tuple[str, str], ...], outcome: str
) -> None:
    asked = _series(*picks)
    assert asked.verdict(91, "v1").outcome == outcome
    found = Matrix(asked.history).of(91)
    assert bool(getattr(found, outcome) & asked.history.reach.bit(asked.tips["v1"]))


def test_a_chain_of_picks_brings_the_commit_at_its_beginning() -> None:
    written = line_of("start (#90)", "a'", "b'")
    written.commit("p", "start (#90)", subject="Pick", message=_picked("a'"))
    written.commit("q", "start (#90)", subject="Pick", message=f"{_picked('p')}\n{_picked('x')}")
    written.tags["v1"] = "q"
    asked = written.read(Request(number=91, state="merged", merge_commit=sha_of("b'"), commits=2))
    assert asked.verdict(91, "v1").outcome == "partly"
    (pick,) = (c for c in asked.history.carriers.of(91) if c.sha == sha_of("q"))
    assert pick.copies == (sha_of("a'"),)


def test_a_pick_by_number_brings_all_of_it() -> None:
    written = line_of("start (#90)", "a'", "b'")
    written.commit("p", "start (#90)", subject="cp: `Series (91)` into `r` (#95)")
    written.tags["v1"] = "p"
    asked = written.read(Request(number=91, state="merged", merge_commit=sha_of("b'"), commits=2))
    assert asked.verdict(91, "v1").outcome == "included"


def test_a_pick_of_one_commit_of_a_merge_brings_a_part() -> None:
    written = line_of("start", "base")
    written.commit("x", "start", subject="One")
    written.commit("y", "x", subject="Two")
    written.commit("m", "base", "y", subject="Merge pull request #40 from acme/topic")
    written.branches["main"] = "m"
    written.commit("p", "base", subject="One", message=_picked("x"))
    written.commit("pm", "base", subject="All", message=_picked("m"))
    written.tags.update(v1="p", v2="pm")
    asked = written.read()
    assert asked.verdict(40, "v1").outcome == "partly"
    assert asked.verdict(40, "v2").outcome == "included"


def test_a_trailer_that_names_a_fetched_head_means_its_request() -> None:
    """The clone has `refs/pull/80/head`, so the commit is known and lies in no branch."""
    written = line_of("start", "A (#80)")
    written.commit("head", "start", subject="A")
    written.commit("p", "start", subject="A", message=_picked("head"))
    written.tags["v1"] = "p"
    asked = written.read(Request(number=80, state="merged", head=sha_of("head")))
    assert asked.verdict(80, "v1").how == "cherry-picked"


# --- stacks ------------------------------------------------------------------------------------


def _stacked(*, landed: str = "P (#40)") -> Written:
    """#41 is merged into the branch of #40, and that is squashed into main."""
    written = line_of("start", "other (#39)", landed, v1="other (#39)", v2=landed)
    written.commit("own", "start", subject="Own work")
    written.commit("child", "own", subject="Child (#41)")
    return written


PARENT = Request(number=40, state="merged", head=sha_of("child"), base="main")
CHILD = Request(number=41, state="merged", merge_commit=sha_of("child"), base="topic")


def test_what_was_merged_into_a_squashed_branch_came_along() -> None:
    asked = _stacked().read(PARENT, CHILD)
    answer = asked.verdict(41, "v2")
    assert (answer.outcome, answer.how, answer.by) == ("included", "via", (40,))
    assert asked.verdict(41, "v1").outcome == "not_included"
    assert [c.role for c in answer.carriers] == [CarrierRole.STACK]
    assert asked.verdict(40, "v2").how == "direct"


def test_a_stack_on_a_stack_comes_along_too() -> None:
    written = _stacked(landed="G (#50)")
    written.commit("parent", "start", subject="P (#40)")
    asked = written.read(
        PARENT,
        CHILD,
        Request(number=50, state="merged", head=sha_of("parent"), base="main"),
    )
    assert asked.verdict(41, "v2").by == (50,)
    assert asked.verdict(40, "v2").by == (50,)


def test_a_stack_goes_where_its_parent_is_picked_to_and_out_where_that_is_reverted() -> None:
    written = _stacked()
    written.commit("p", "start", subject="P (#60)", message=_picked("P (#40)"))
    written.commit("r", "P (#40)", subject='Revert "P (#40)" (#61)')
    written.branches["main"] = "r"
    written.tags.update(v3="p", v4="r")
    asked = written.read(PARENT, CHILD)
    assert asked.verdict(41, "v3").outcome == "included"
    assert asked.verdict(41, "v4").outcome == "reverted"


def test_a_revert_of_the_inner_request_alone_does_not_take_the_outer_one_out() -> None:
    written = _stacked()
    written.commit("r", "P (#40)", subject='Revert "Child (#41)" (#61)')
    written.branches["main"] = written.tags["v3"] = "r"
    asked = written.read(PARENT, CHILD)
    assert asked.verdict(40, "v3").outcome == "included"
    assert asked.verdict(41, "v3").reason == "a revert found no target"


def test_what_the_base_had_anyway_did_not_come_along() -> None:
    """The branch of #40 began at main's #39, which the release branch does not have."""
    written = line_of("start", "other (#39)", "P (#40)")
    written.commit("head", "other (#39)", subject="Own work")
    written.commit("p", "start", subject="P (#60)", message=_picked("P (#40)"))
    written.branches["release"] = written.tags["v1"] = "p"
    request = Request(number=40, state="merged", head=sha_of("head"))
    other = Request(number=39, state="merged", merge_commit=sha_of("other (#39)"))
    assert written.read(request, other).verdict(39, "v1").outcome == "not_included"
    del written.branches["main"]  # also where nothing is known of the branch
    assert written.read(request, other).verdict(39, "v1").outcome == "not_included"


def test_an_open_stack_brought_nothing_yet() -> None:
    written = _stacked(landed="Something else (#49)")
    asked = written.read(Request(number=40, state="open", head=sha_of("child")), CHILD)
    assert asked.verdict(41, "v2").outcome == "not_included"


# --- restores ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        "Restores #1 after the revert in #2.",
        "Restores #1 after #2",
        "Re-adds #1 after its revert by #2.",
        "Reapplies acme/widget#1 after the revert in acme/widget#2",
    ],
)
def test_a_sentence_of_its_own_that_restores_a_number_after_its_revert(sentence: str) -> None:
    written = line_of("X (#1)", 'Revert "X (#1)" (#2)')
    written.commit("again", 'Revert "X (#1)" (#2)', subject="Re-add X (#3)", message=sentence)
    written.tags["v1"] = "again"
    answer = written.read().verdict(1, "v1")
    assert (answer.outcome, answer.how, answer.by) == ("included", "restored", (3,))


@pytest.mark.parametrize(
    "prose",
    [
        "This restores #1 after the revert in #2, but only for tests.",
        "Restores the cache that #1 added after #2.",
        "Restores other/repo#1 after #2.",
    ],
)
def test_prose_about_restoring_restores_nothing(prose: str) -> None:
    written = line_of("X (#1)", 'Revert "X (#1)" (#2)')
    written.commit("again", 'Revert "X (#1)" (#2)', subject="Tidy (#3)", message=prose)
    written.tags["v1"] = "again"
    assert written.read().verdict(1, "v1").outcome == "reverted"


def test_what_puts_one_commit_back_does_not_put_the_others_back() -> None:
    """Of #91's two commits each is reverted, and only the revert of the second is undone."""
    written = line_of("start (#90)", "a'", "b'")
    before = "b'"
    for name, undone in (("ra", "a'"), ("rb", "b'"), ("again", "rb")):
        message = f"This reverts commit {sha_of(undone)}."
        written.commit(name, before, subject=f'Revert "{undone}"', message=message)
        before = name
    written.branches["main"] = written.tags["v1"] = before
    asked = written.read(Request(number=91, state="merged", merge_commit=sha_of("b'"), commits=2))
    assert asked.verdict(91, "v1").outcome == "partly"
