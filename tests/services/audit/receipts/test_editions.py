"""A published edition is found by its record, and made again to the byte."""

from typing import Literal

import msgspec
import pytest

from events.errors import NotFound
from events.facts.editions import EditionPublished
from events.sources.authored import author
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import assemble_edition
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import period
from services.audit.edition_receipts import Rendering, edition_receipt, makers_for, rendered
from services.audit.receipts.finding import receipt_of_record
from services.audit.receipts.verifying import Verdict, verify
from services.authoring.publishing.recording import publication
from tests.builders import REPO, at, merge, pull_request
from tests.services.audit.receipts.desk import Desk, configured
from tests.services.audit.receipts.test_verify import requests, thousand_more


@pytest.fixture
def desk() -> Desk:
    made = Desk()
    made.configure("05-01", configured(ci=("ci/",)))
    made.receive(requests())
    for number in range(1_100, 1_106):
        opened = pull_request(f"o{number}", number, "opened", "07-15", title=f"Speed up {number}")
        made.receive([("07-15", opened)])
        merged = merge(f"m{number}", number, "07-16", created_at="07-15", title=f"Speed {number}")
        made.receive([("07-16", merged)])
    made.catch_up("08-01 06:00:00")
    return made


def publish(desk: Desk, form: str, language: Literal["en", "zh"]) -> EditionPublished:
    july = period("2026-07-01", "2026-08-01", "UTC")
    report = QuestionBuilder(desk.settings).report(QuestionRequest(repository="acme/widget"), july)
    question = with_themes(desk.settings, report, author="Ada")
    rendering = Rendering(form=form, shape="seed", stage="", label="", author="Ada")
    with desk.model.snapshot() as snapshot:
        edition = assemble_edition(snapshot, question, HistoryCache())
        text = rendered(edition, rendering, language)
        receipt = edition_receipt(desk.stores, snapshot, edition, question, rendering, language)
    return publication(
        edition, rendering, language, text, place="july", at=at("08-02"), receipt=receipt
    )


def record(desk: Desk, fact: EditionPublished) -> None:
    desk.receive([("08-02", author(REPO, fact, time=at("08-02"), record_id="edition"))])


def verified(desk: Desk, record_id: str) -> Verdict:
    with desk.model.snapshot() as snapshot:
        receipt = receipt_of_record(desk.stores, snapshot, record_id).receipt
        makers = makers_for(desk.stores, snapshot, receipt)
        return verify(desk.stores, snapshot, receipt, makers=makers)


@pytest.mark.parametrize("form", ["md", "html"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_edition_is_verified_from_its_record_after_a_thousand_later_records(
    desk: Desk, form: str, language: Literal["en", "zh"]
) -> None:
    before = publish(desk, form, language)
    record(desk, before)
    desk.configure("08-03", configured(ci=("build/",)))
    desk.receive(thousand_more())
    desk.catch_up("08-07")
    counts = desk.make("2026-07-01", "2026-08-01").report.counts
    assert counts["opened"] != before.figures["opened"], "nothing came that would show"
    verdict = verified(desk, "edition")
    assert verdict.outcome == "same", verdict.says


def test_an_edition_is_compared_with_its_figures_of_then(desk: Desk) -> None:
    record(desk, publish(desk, "md", "en"))
    desk.catch_up("08-03")
    assert desk.compare_edition("2026-07-01", "2026-08-01", "edition").empty
    desk.receive([("08-05", merge("late", 2, "07-11", created_at="07-03"))])
    desk.catch_up("08-06")
    found = desk.compare_edition("2026-07-01", "2026-08-01", "edition")
    assert {(each.number, each.cause.record) for each in found.requests} == {(2, "late")}


def test_an_edition_without_a_receipt_cannot_be_verified(desk: Desk) -> None:
    fact = publish(desk, "md", "en")
    record(desk, msgspec.structs.replace(fact, receipt={}, made_here=False))
    desk.catch_up("08-03")
    with pytest.raises(NotFound, match="has no receipt: it was not made here"):
        verified(desk, "edition")
    with pytest.raises(NotFound, match="is not an edition, but com"):
        verified(desk, "a")
