"""Why is a request told, or not told, in a period? One verdict, of the report and its edition."""

import msgspec

from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.answer import PeriodWhyAnswer
from services.answers.editions.assemble import edition_of
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
    histories = HistoryCache()
    answer = reports.why(snapshot, question.report, number, histories)
    place = place_of(edition_of(snapshot, answer.report, question, histories), number)
    return PeriodWhy(answer=as_told(answer, place), place=place)


def as_told(answer: reports.Why, place: Place) -> reports.Why:
    """Return a report's answer with the edition's verdict: told is what a theme prints."""
    told = place.theme is not None
    if told == bool(answer.told):
        return answer
    reason = f"{answer.reason}; {as_sentence(place).rstrip('.')}"
    return msgspec.structs.replace(answer, told=told, reason=reason)


def why_of_period_forms(why: PeriodWhy) -> Forms:
    """Return the answer in its forms."""
    return Forms(
        document=lambda: why_document(why.answer, Paragraph(as_sentence(why.place))),
        answer=lambda: PeriodWhyAnswer(
            **msgspec.structs.asdict(why_answer(why.answer)), edition=why.place
        ),
    )
