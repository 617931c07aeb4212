"""`GET …/pulls/{number}` and `…/why`: one request's life, and why it is told or not."""

from fastapi import APIRouter, Response

from services.answers.editions.answer import PeriodWhyAnswer
from services.answers.editions.asking import edition_question
from services.answers.editions.releases.answer import ReleaseWhyAnswer
from services.answers.editions.releases.why import why_of_release, why_of_release_forms
from services.answers.editions.why import why_of_period, why_of_period_forms
from services.answers.questions.builder import QuestionBuilder
from services.answers.reports.life_forms import LifeAnswer, life_forms
from services.answers.reports.request_life import request_life
from services.api.parameters import Asked, Form, Named, Number
from services.api.responder import respond
from services.api.schemas import answers
from services.documents.forms import ANSWER_FORMS
from services.stream.stores import Stores

_PATH = "/v1/repositories/{owner}/{name}/pulls/{number}"


def pulls_router(stores: Stores) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["reports"])
    builder = QuestionBuilder(stores.settings)

    @router.get(
        _PATH,
        summary="The life of one pull request, with the records that prove it",
        responses=answers(LifeAnswer, *ANSWER_FORMS),
        response_class=Response,
    )
    def pull(request: Asked, number: Number, form: Form = "json") -> Response:
        question = builder.repository(request)
        with stores.read_model.snapshot() as snapshot:
            life = request_life(
                snapshot, question.full_name, number, question.as_of, question.known_at
            )
        return respond(life_forms(life), form)

    @router.get(
        f"{_PATH}/why",
        summary="Why a pull request is, or is not, told in the report of a period or a release",
        responses=answers((PeriodWhyAnswer, ReleaseWhyAnswer), *ANSWER_FORMS),
        response_class=Response,
    )
    def why(request: Named, number: Number, form: Form = "json") -> Response:
        with stores.read_model.snapshot() as snapshot:
            question = edition_question(stores, snapshot, request)
            if question.releases is not None:
                answer = why_of_release(snapshot, question, number)
                return respond(why_of_release_forms(answer), form)
            return respond(why_of_period_forms(why_of_period(snapshot, question, number)), form)

    return router
