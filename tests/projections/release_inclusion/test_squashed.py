"""A long-lived branch squashed to another: what it brought is in, or a named doubt."""

import pytest

from projections.release_inclusion.history.carriers import Method, Request
from tests.projections.release_inclusion.histories import Written, sha_of

A, B = "Add the parser of dates", "Mend the cache of names"


def _develop(subject: str, message: str = "", *, gone: bool = False) -> Written:
    """Land #86 and #87 on develop, #90 after it; #88 squashes develop to main before #90."""
    written = Written(branches={"main": "squash"}, tags={"v3": "squash", "v2": "start"})
    written.line("start", "other (#80)")
    if not gone:
        written.commit("a", "start", subject=f"{A} (#86)", at=1)
        written.commit("b", "a", subject=f"{B} (#87)", at=2)
        written.commit("late", "b", subject="Come too late for it (#90)", at=9)
        written.branches["develop"] = "late"
    written.commit("squash", "other (#80)", subject=subject, message=message, at=5)
    return written


LIST = f"* {A} (#86)\n\n* {B} (#87)\n\n* other (#80)\n\n* Fix the review"


@pytest.mark.parametrize("number", [86, 87])
def test_the_head_of_the_request_shows_what_came(number: int) -> None:
    head = Request(number=88, state="merged", merge_commit=sha_of("squash"), head=sha_of("b"))
    asked = _develop("Second quarter (#88)").read(head)
    answer = asked.verdict(number, "v3")
    assert (answer.outcome, answer.how, answer.by) == ("included", "via", (88,))
    assert asked.verdict(number, "v2").outcome == "not_included"
    assert asked.verdict(90, "v3").outcome == "not_included"


def test_the_list_shows_what_came() -> None:
    asked = _develop("Second quarter (#88)", LIST).read()
    answers = [asked.verdict(number, "v3") for number in (86, 87)]
    assert {(a.outcome, a.how, a.by) for a in answers} == {("included", "via", (88,))}
    assert {c.method for a in answers for c in a.carriers} == {Method.LIST}
    assert asked.verdict(80, "v3").how == "direct"
    assert asked.verdict(90, "v3").outcome == "not_included"


def test_a_list_that_names_a_number_under_another_title_shows_nothing() -> None:
    asked = _develop("Second quarter (#88)", "* Follow the decision (#86)\n\n* B").read()
    assert asked.verdict(86, "v3").outcome == "not_included"


def test_a_list_of_a_branch_that_is_gone_is_a_doubt() -> None:
    asked = _develop("Second quarter (#88)", LIST, gone=True).read()
    answer = asked.verdict(86, "v3")
    assert (answer.outcome, answer.evidence) == ("undetermined", (sha_of("squash"),))


def test_a_list_of_a_branch_that_is_gone_is_believed_with_what_github_showed() -> None:
    known = Request(number=86, state="merged", base="develop", title=A)
    answer = _develop("Second quarter (#88)", LIST, gone=True).read(known).verdict(86, "v3")
    assert (answer.outcome, answer.how, answer.by) == ("included", "via", (88,))


@pytest.mark.parametrize(
    "title", ["Merge develop into main", "develop to main", "Merge `develop` into `main`"]
)
def test_a_title_alone_is_one_doubt_about_all_of_the_branch(title: str) -> None:
    asked = _develop(f"{title} (#88)").read()
    for number in (86, 87):
        answer = asked.verdict(number, "v3")
        assert (answer.outcome, answer.evidence) == ("undetermined", (sha_of("squash"),))
        assert asked.verdict(number, "v2").outcome == "not_included"
    assert asked.verdict(90, "v3").outcome == "not_included"
    assert len(asked.history.resolution.doubts) == 1


def test_a_revert_of_one_request_takes_no_whole_branch_out() -> None:
    written = _develop("Second quarter (#88)", LIST)
    written.commit("undo", "squash", subject=f'Revert "{A} (#86)" (#91)')
    written.branches["main"] = written.tags["v3"] = "undo"
    asked = written.read()
    assert asked.verdict(87, "v3").outcome == "included"
    assert asked.verdict(88, "v3").outcome == "included"
    assert asked.verdict(86, "v3").outcome == "undetermined"
