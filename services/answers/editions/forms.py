"""Editions in their forms, those of periods and of releases alike."""

from events.facts.editions import Language
from services.answers.editions.answer import edition_answer
from services.answers.editions.document import period_document
from services.answers.editions.edition import Edition
from services.answers.editions.figures import period_heading
from services.answers.editions.releases.answer import release_edition_answer
from services.answers.editions.releases.document import release_document
from services.answers.editions.releases.ledger_rows import release_sheet
from services.answers.editions.releases.wording import heading as release_heading
from services.answers.questions.question import Shape
from services.answers.reports.forms import ledger_sheet
from services.documents.forms import Forms


def edition_forms(
    edition: Edition, language: Language = "en", shape: Shape = "seed", *, noted: bool = False
) -> Forms:
    """Return an edition in its forms; JSON and CSV hold all languages, or none.

    `noted`: Markdown and text come with notes for the writer, which are never published.
    """
    content = edition.release
    if content is not None:
        return Forms(
            document=lambda: release_document(edition, content, language, shape, noted=noted),
            answer=lambda: release_edition_answer(edition, content),
            sheet=lambda: release_sheet(edition, content),
        )
    return Forms(
        document=lambda: period_document(edition, language, shape, noted=noted),
        answer=lambda: edition_answer(edition),
        sheet=lambda: ledger_sheet(edition.report),
    )


def heading(edition: Edition, language: Language) -> str:
    """Write the title of an edition."""
    if edition.release is not None:
        return release_heading(edition, edition.release, language)
    return period_heading(edition, language)
