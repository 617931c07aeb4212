"""A request that only its own ref shows: it exists, has a head, and leaves no trace in releases."""

import pytest

from events.errors import NotFound
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.releases.inclusion_document import (
    everywhere_document,
    inclusion_document,
    overview,
)
from services.answers.reports.answer import report_answer
from services.answers.reports.assemble import assemble
from services.answers.reports.document import report_document
from services.answers.reports.life_forms import life_forms
from services.answers.reports.request_life import UNPROVEN, RequestLife, request_life
from services.answers.reports.why import why
from services.documents.text import render
from tests.builders import at
from tests.projections.release_inclusion.bench import git
from tests.projections.release_inclusion.histories import Written
from tests.services.answers.releases.desk import Desk

NONE = "No trace of #7 in v1.0.0: no commit there names it, and its head "


def desk(head: str = "w", *, tested: bool = False) -> Desk:
    """v1.0.0 is #1 and its parent; the head of #7 is `w`, which no branch has."""
    history = Written()
    history.commit("a", subject="Begin", at=at("03-01"), author="Ada")
    history.commit("b", "a", subject="Add b (#1)", at=at("03-02"))
    history.commit("w", "a", subject="Try w", at=at("03-03"), author="Bob")
    history.branches, history.tags = {"main": "b"}, {"v1.0.0": "b"}
    refs = {"refs/pull/7/head": head, **({"refs/pull/7/merge": "b"} if tested else {})}
    return Desk(*git(history, "03-07", refs=refs))


def life(asked: Desk, number: int) -> RequestLife:
    with asked.ground() as ground:
        return request_life(ground.snapshot, "acme/widget", number)


def test_no_trace_is_said_with_the_head_that_is_known() -> None:
    answer = desk().included(7, "v1.0.0")
    assert answer.verdict.outcome == "undetermined"
    assert answer.sentence.startswith(NONE)
    assert answer.sentence.endswith(" (Bob, 2026-03-03) is not in its history.")
    assert "was merged elsewhere" in render(inclusion_document(answer))


def test_a_head_that_lies_in_the_release_is_no_proof_and_is_told() -> None:
    answer = desk(head="a").included(7, "v1.0.0")
    assert answer.verdict.outcome == "undetermined"
    assert "(Ada, 2026-03-01) is in its history, where nothing says" in answer.sentence


def test_in_all_releases_no_trace_is_one_sentence() -> None:
    everywhere = desk().everywhere(7)
    assert overview(everywhere) == "No trace of #7 in any of 1 releases; its state is unproven."
    assert "nothing is recorded" not in render(everywhere_document(everywhere))


def test_a_number_without_any_trace_is_not_found_by_name() -> None:
    with pytest.raises(NotFound, match=r"no trace of #8 in v1\.0\.0: nothing is recorded of #8"):
        desk().included(8, "v1.0.0")


def test_the_life_of_a_request_that_only_its_ref_shows() -> None:
    asked = desk()
    known = life(asked, 7)
    assert known.state == UNPROVEN
    assert known.head is not None
    assert known.head.commit is not None
    assert known.attributes.who == "Bob (in git)"
    document = life_forms(known).document
    assert document is not None
    text = render(document())
    assert "acme/widget #7: open or closed, unproven" in text
    assert "by Bob: Try w." in text
    with pytest.raises(NotFound, match="nothing is recorded of #8"):
        life(asked, 8)


def test_a_head_is_not_known_before_it_was_read() -> None:
    with desk().ground() as ground, pytest.raises(NotFound):
        request_life(ground.snapshot, "acme/widget", 7, None, at("03-02"))


def candidates(start: str, end: str, *, tested: bool = False) -> tuple[list[int], str]:
    """Return the candidates of a period, and the report's text."""
    with desk(tested=tested).ground() as ground:
        period = Period(start=at(start), end=at(end), zone="UTC")
        question = ReportQuestion(full_name="acme/widget", period=period)
        report = assemble(ground.snapshot, question)
    answered = report_answer(report).candidates or ()
    assert [head.number for head in report.candidates] == [its.number for its in answered]
    return [head.number for head in report.candidates], render(report_document(report))


def test_a_request_that_only_its_head_shows_is_a_candidate_for_in_progress_and_labelled() -> None:
    numbers, text = candidates("03-02", "03-05")
    assert numbers == [7]
    assert "Candidates for In Progress, unproven (1)" in text
    assert "#7 Try w — last commit 2026-03-03 00:00 UTC, Bob (in git)" in text
    assert "each is open or closed, and nothing proves which" in text


def test_a_head_of_another_time_is_no_candidate() -> None:
    numbers, text = candidates("03-04", "03-05")
    assert (numbers, "Candidates" in text) == ([], False)


def test_a_test_merge_is_a_hint_that_a_request_is_open_and_no_more() -> None:
    _, text = candidates("03-02", "03-05", tested=True)
    assert "GitHub keeps a test merge of 1 of them, as it does of open requests." in text
    assert "Bob (in git); test merge stands" in text
    known = life(desk(tested=True), 7)
    assert known.state == UNPROVEN
    assert known.head is not None
    assert known.head.test_merge


def test_why_a_candidate_is_in_no_count_says_that_it_is_one() -> None:
    with desk().ground() as ground:
        period = Period(start=at("03-02"), end=at("03-05"), zone="UTC")
        question = ReportQuestion(full_name="acme/widget", period=period)
        answer = why(ground.snapshot, question, 7)
    assert answer.told is None
    assert "a candidate for in progress, open or closed unproven" in answer.reason
