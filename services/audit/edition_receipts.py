"""Receipts of editions: what one was made from, and making it again to compare the bytes.

It is a report's receipt (`services.audit.receipts`) whose format says which edition was rendered,
as one word and JSON, so that whoever verifies receipts can verify it with the makers given here.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from events.facts.editions import Language
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import edition_of
from services.answers.editions.edition import Edition
from services.answers.editions.forms import edition_forms
from services.answers.editions.marker import edition_id, issue_text
from services.answers.questions.question import EditionQuestion, Shape, Stage
from services.answers.reports.assemble import Report
from services.audit.receipts.making import MAKERS, Maker, make_receipt, question_of
from services.audit.receipts.pinned import settings_with
from services.audit.receipts.receipt import Receipt
from services.documents.forms import render
from services.stream.stores import Stores

_WORD: Final = "edition "


class Rendering(msgspec.Struct, frozen=True, kw_only=True):
    """How an edition was rendered; `issue`: as the text of an issue, with its marker."""

    form: str
    shape: Shape
    stage: Stage
    label: str
    author: str
    issue: bool = False
    releases: tuple[str, str] | msgspec.UnsetType = msgspec.UNSET
    """As they were asked for; unset for a period, so that its receipt stays as it was."""


def rendered(edition: Edition, rendering: Rendering, language: Language) -> str:
    """Render an edition as it is published."""
    text = render(edition_forms(edition, language, rendering.shape), rendering.form)
    if not rendering.issue:
        return text
    name = edition_id(edition.report.repo, edition.report.period, language, edition.releases)
    return issue_text(name, text)


def edition_receipt(
    stores: Stores,
    snapshot: Snapshot,
    edition: Edition,
    question: EditionQuestion,
    rendering: Rendering,
    language: Language,
) -> Receipt:
    """Return the receipt of an edition as it is rendered."""
    text = rendered(edition, rendering, language)
    form = _WORD + msgspec.json.encode(rendering).decode()
    return make_receipt(stores, snapshot, edition.report, question.report, text, form, language)


def makers_for(stores: Stores, snapshot: Snapshot, receipt: Receipt) -> Mapping[str, Maker]:
    """Return the makers of reports, and that of the edition that a receipt is about."""
    form = receipt.question.form
    if not form.startswith(_WORD):
        return MAKERS
    rendering = msgspec.json.decode(form.removeprefix(_WORD), type=Rendering)

    def make(report: Report, language: str) -> str:
        settings = settings_with(stores, receipt.configuration)
        question = with_themes(
            settings,
            question_of(stores, receipt, settings),
            stage=rendering.stage,
            label=rendering.label,
            author=rendering.author,
            releases=rendering.releases or None,
            name=receipt.question.name,
        )
        edition = edition_of(snapshot, report, question, HistoryCache())
        return rendered(edition, rendering, "zh" if language == "zh" else "en")

    return {**MAKERS, form: make}
