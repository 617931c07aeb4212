"""`GET …/report` and `…/report/compare`: one period's ledger, and what changed in it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from events.errors import InvalidQuestion
from projections.store.snapshot import Snapshot
from services.answers.questions.builder import QuestionBuilder
from services.answers.questions.period import moment
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.api.parameters import Between, Form, KnownTag
from services.api.responder import respond, respond_settled
from services.api.schemas import answers
from services.audit.receipts.printing import PrintedReport, printed_forms
from services.audit.restatements import (
    Before,
    RestatementAnswer,
    compare,
    edition_before,
    known_before,
    restatement_forms,
)
from services.documents.forms import ANSWER_FORMS, SHEET_FORMS, check_form
from services.stream.stores import Stores

_PATH = "/v1/repositories/{owner}/{name}/report"


def report_router(stores: Stores) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["reports"])
    builder = QuestionBuilder(stores.settings)

    @router.get(
        _PATH,
        summary="What was opened, merged, closed and left open in a period",
        responses=answers(PrintedReport, *SHEET_FORMS, settled=True),
        response_class=Response,
    )
    def report(request: Between, form: Form = "json", known_tag: KnownTag = None) -> Response:
        check_form(form, SHEET_FORMS)
        question = builder.report(request)
        with stores.read_model.snapshot() as snapshot:
            answer = assemble(snapshot, question, stores.histories)
            return respond_settled(
                stores.settings,
                lambda: printed_forms(stores, snapshot, answer, question, form),
                form,
                settled=answer.settled,
                identity=_identity(answer),
                known_tag=known_tag,
            )

    @router.get(
        f"{_PATH}/compare",
        summary="What changed in a period's report since another known time, or since an edition",
        responses=answers(RestatementAnswer, *ANSWER_FORMS),
        response_class=Response,
    )
    def compared(
        request: Between,
        compare_known_at: Annotated[
            str | None, Query(description="The earlier known time. A time with its offset.")
        ] = None,
        compare_edition: Annotated[
            str | None, Query(description="The record id of a published edition.")
        ] = None,
        form: Form = "json",
    ) -> Response:
        check_form(form, ("json", *ANSWER_FORMS))
        question = builder.report(request)
        with stores.read_model.snapshot() as snapshot:
            before = _before(stores, snapshot, question, compare_known_at, compare_edition)
            restatement = compare(stores, snapshot, question, before)
        return respond(restatement_forms(restatement), form)

    return router


def _before(
    stores: Stores,
    snapshot: Snapshot,
    question: ReportQuestion,
    known_at: str | None,
    edition: str | None,
) -> Before:
    if known_at is not None and edition is None:
        return known_before(stores, snapshot, question, moment(known_at))
    if edition is not None and known_at is None:
        return edition_before(stores, snapshot, question, edition)
    raise InvalidQuestion("say what to compare with: compare_known_at, or compare_edition")


def _identity(report: Report) -> tuple[str | int, ...]:
    """Return question, T and K."""
    period = report.period
    span = (period.start, period.end, period.zone, report.end)
    return (report.repo, report.full_name, *span, report.as_of, report.known_at)
