"""Why is a request told, or not told, in a period? One verdict, of the report and its edition."""

import msgspec

from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.answer import PeriodWhyAnswer
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.editions.grouping import numbers_in_question
from services.answers.editions.placing import Place, as_sentence, place_of
from services.answers.questions.question import EditionQuestion
from services.answers.reports import why as reports
from services.answers.reports.why_forms import why_answer, why_document
from services.documents.forms import Forms
from services.documents.model import Paragraph


class PeriodWhy(msgspec.Struct, frozen=True, kw_only=True):
    """The answer, and where the edition has the request."""

    answer: reports.Why
    place: Place


def why_of_period(snapshot: Snapshot, question: EditionQuestion, number: int) -> PeriodWhy:
    """Answer for one request; raise NotFound for a number of which nothing is recorded."""
    return why_in(snapshot, assemble_edition(snapshot, question, HistoryCache()), number)


def why_in(snapshot: Snapshot, edition: Edition, number: int) -> PeriodWhy:
    """Answer for one request from an edition that was assembled in this snapshot."""
    answer = reports.why_in(snapshot, edition.report, number)
    place = place_of(edition, number)
    return PeriodWhy(answer=as_told(answer, edition, place), place=place)


def as_told(answer: reports.Why, edition: Edition, place: Place) -> reports.Why:
    """Return a report's answer with the edition's verdict: told is what a theme prints.

    Where the two differ the edition alone gives the reason, and nothing of the report's stays that
    says otherwise.
    """
    told = place.theme is not None
    silent = place.section is None and not place.why
    if told == answer.told or (silent and not answer.told):
        return answer
    if told:
        reason = _with_its_change(answer, edition, place)
    elif answer.told:
        reason = f"{reports.happened(answer.entries)}; {as_sentence(place).rstrip('.')}"
    else:
        reason = as_sentence(place).rstrip(".")
    return msgspec.structs.replace(answer, told=told, reason=reason)


def _with_its_change(answer: reports.Why, edition: Edition, place: Place) -> str:
    """Say with which requests of the period one lands a change that is told."""
    merged, active = numbers_in_question(edition.report)
    change = next(
        change
        for theme in edition.themes
        for change in theme.changes
        if place.number in change.numbers
    )
    others = [
        f"#{number}" for number in change.numbers if number in (merged | active) - {place.number}
    ]
    left_out = answer.classified is not None and answer.classified.verdict.excluded
    own = f"left out: {answer.reason}" if left_out else "not told"
    with_others = ", ".join(others)
    return f"it is told with its change, which {with_others} brings too; by itself it is {own}"


def why_of_period_forms(why: PeriodWhy) -> Forms:
    """Return the answer in its forms."""
    return Forms(
        document=lambda: why_document(why.answer, Paragraph(as_sentence(why.place))),
        answer=lambda: PeriodWhyAnswer(
            **msgspec.structs.asdict(why_answer(why.answer)), edition=why.place
        ),
    )
