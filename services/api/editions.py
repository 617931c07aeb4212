"""`GET …/edition`, `…/editions`, `…/curation`: drafts, what was published, what was decided."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from events.facts.editions import Language
from projections.repositories.queries import find
from services.answers.editions.answer import EditionAnswer
from services.answers.editions.asking import edition_question
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.forms import edition_forms
from services.answers.editions.releases.answer import ReleaseEditionAnswer
from services.answers.questions.builder import QuestionBuilder
from services.answers.questions.question import Shape
from services.api.parameters import Form, Known, Named
from services.api.responder import respond
from services.api.schemas import answers
from services.authoring.decisions.listing import (
    DecisionsAnswer,
    EditionsAnswer,
    decisions_forms,
    editions_forms,
)
from services.documents.forms import SHEET_FORMS, check_form
from services.stream.stores import Stores

_PATH = "/v1/repositories/{owner}/{name}"


def editions_router(stores: Stores) -> APIRouter:
    """Return the routes; nothing here writes."""
    router = APIRouter(tags=["editions"])
    builder = QuestionBuilder(stores.settings)

    @router.get(
        f"{_PATH}/edition",
        summary="The edition of a period as it would be published now",
        responses=answers((EditionAnswer, ReleaseEditionAnswer), *SHEET_FORMS),
        response_class=Response,
    )
    def edition(
        request: Named,
        language: Language = "en",
        shape: Shape = "seed",
        final: bool = False,
        form: Form = "json",
        notes: Annotated[
            bool, Query(description="In md and txt: with the figures to write sentences from")
        ] = False,
    ) -> Response:
        check_form(form, SHEET_FORMS)
        with stores.read_model.snapshot() as snapshot:
            question = edition_question(stores, snapshot, request, stage="final" if final else "")
            answer = assemble_edition(snapshot, question, stores.histories)
        # routes write nothing: until a command records a draft's themes, the next may have others
        return respond(edition_forms(answer, language, shape, noted=notes), form)

    @router.get(
        f"{_PATH}/editions",
        summary="The editions that were published",
        responses=answers(EditionsAnswer),
        response_class=Response,
    )
    def editions(request: Known) -> Response:
        question = builder.repository(request)
        with stores.read_model.snapshot() as snapshot:
            repo = find(snapshot, question.full_name).repo
            known_at = snapshot.watermark(repo).known_at(question.known_at)
            return respond(editions_forms(snapshot, repo, known_at))

    @router.get(
        f"{_PATH}/curation",
        summary="What persons decided about editions",
        responses=answers(DecisionsAnswer),
        response_class=Response,
    )
    def curation(request: Known) -> Response:
        question = builder.repository(request)
        with stores.read_model.snapshot() as snapshot:
            repo = find(snapshot, question.full_name).repo
            known_at = snapshot.watermark(repo).known_at(question.known_at)
            zone = builder.zone(request)
            return respond(decisions_forms(snapshot, repo, known_at, zone))

    return router
