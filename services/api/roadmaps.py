"""Roadmaps over HTTP: all of them, one, its changes, series, releases, lineage and proposal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Final, TypeAlias

from fastapi import APIRouter, Query, Response

from services.answers.questions.builder import QuestionRequest
from services.answers.questions.period import moment
from services.answers.releases.context import ResolvedQuestion
from services.answers.roadmaps import forms
from services.answers.roadmaps.answer import (
    ChangesAnswer,
    MatrixAnswer,
    RoadmapAnswer,
    RoadmapsAnswer,
    SeriesAnswer,
)
from services.answers.roadmaps.asking import RoadmapAnswers, open_roadmaps, roadmap_question
from services.answers.roadmaps.lineage_answer import LineageAnswer
from services.api.parameters import Asked, Form, KnownTag, Number
from services.api.responder import respond_settled, settled_text
from services.api.schemas import PROBLEMS, answers
from services.documents.forms import ANSWER_FORMS, SHEET_FORMS, Forms, check_form
from services.stream.stores import Stores

_ROADMAPS: Final = "/v1/repositories/{owner}/{name}/roadmaps"
_ONE: Final = f"{_ROADMAPS}/{{issue}}"
_PATCH: Final = "text/x-diff; charset=utf-8"

Days: TypeAlias = Annotated[int, Query(ge=1, le=366, description="From one row to the next.")]
Make: TypeAlias = Callable[[RoadmapAnswers], Forms]


def roadmaps_router(stores: Stores) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["roadmaps"])
    _add_boards(router, stores)
    _add_over_time(router, stores)
    _add_beside(router, stores)
    return router


def _add_boards(router: APIRouter, stores: Stores) -> None:
    @router.get(
        _ROADMAPS,
        summary="Which roadmaps there are",
        responses=answers(RoadmapsAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def all_roadmaps(request: Asked, form: Form = "json", known_tag: KnownTag = None) -> Response:
        return _answer(stores, request, forms.listing_forms, form, known_tag, "list")

    @router.get(
        _ONE,
        summary="One roadmap: claims, statuses, drift",
        responses=answers(RoadmapAnswer, *SHEET_FORMS, settled=True),
        response_class=Response,
    )
    def one_roadmap(
        request: Asked,
        issue: Number,
        drift: bool = False,
        form: Form = "json",
        known_tag: KnownTag = None,
    ) -> Response:
        def make(roadmaps: RoadmapAnswers) -> Forms:
            return forms.roadmap_forms(roadmaps, issue, only_drift=drift)

        return _answer(stores, request, make, form, known_tag, "board", issue, int(drift))


def _add_over_time(router: APIRouter, stores: Stores) -> None:
    @router.get(
        f"{_ONE}/changes",
        summary="What the text changed between two moments",
        responses=answers(ChangesAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def changes(
        request: Asked,
        issue: Number,
        since: Annotated[str, Query(alias="from")],
        until: Annotated[str, Query(alias="to")],
        form: Form = "json",
        known_tag: KnownTag = None,
    ) -> Response:
        start, end = moment(since), moment(until)

        def make(roadmaps: RoadmapAnswers) -> Forms:
            return forms.changes_forms(roadmaps, issue, start, end)

        return _answer(stores, request, make, form, known_tag, "changes", issue, start, end)

    @router.get(
        f"{_ONE}/series",
        summary="The statuses over time",
        responses=answers(SeriesAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def over_time(
        request: Asked,
        issue: Number,
        days: Days = 7,
        form: Form = "json",
        known_tag: KnownTag = None,
    ) -> Response:
        def make(roadmaps: RoadmapAnswers) -> Forms:
            return forms.series_forms(roadmaps, issue, days=days)

        return _answer(stores, request, make, form, known_tag, "series", issue, days)


def _add_beside(router: APIRouter, stores: Stores) -> None:
    @router.get(
        f"{_ONE}/releases",
        summary="Items by releases; `words` keeps those that are about them",
        responses=answers(MatrixAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def releases(
        request: Asked,
        issue: Number,
        words: str = "",
        form: Form = "json",
        known_tag: KnownTag = None,
    ) -> Response:
        def make(roadmaps: RoadmapAnswers) -> Forms:
            return forms.matrix_forms(roadmaps, issue, words=words)

        return _answer(stores, request, make, form, known_tag, "releases", issue, words)

    @router.get(
        f"{_ONE}/lineage",
        summary="Which roadmaps it follows and is followed by, and what slipped",
        responses=answers(LineageAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def lineage(
        request: Asked, issue: Number, form: Form = "json", known_tag: KnownTag = None
    ) -> Response:
        def make(roadmaps: RoadmapAnswers) -> Forms:
            return forms.lineage_forms(roadmaps, issue)

        return _answer(stores, request, make, form, known_tag, "lineage", issue)

    @router.get(
        f"{_ONE}/proposal",
        summary="The text with true status words, as a patch",
        responses={200: {"content": {"text/x-diff": {"schema": {"type": "string"}}}}, **PROBLEMS},
        response_class=Response,
    )
    def proposal(request: Asked, issue: Number, known_tag: KnownTag = None) -> Response:
        with _opened(stores, request) as roadmaps:
            return settled_text(
                stores.settings,
                lambda: forms.proposal(roadmaps, issue).patch,
                _PATCH,
                settled=roadmaps.asked.settled,
                identity=(*_identity(roadmaps.asked), "proposal", issue),
                known_tag=known_tag,
            )


def _answer(
    stores: Stores,
    request: QuestionRequest,
    make: Make,
    form: str,
    known_tag: str | None,
    *identity: str | int,
) -> Response:
    check_form(form, SHEET_FORMS)
    with _opened(stores, request) as roadmaps:
        return respond_settled(
            stores.settings,
            lambda: make(roadmaps),
            form,
            settled=roadmaps.asked.settled,
            identity=(*_identity(roadmaps.asked), *identity),
            known_tag=known_tag,
        )


@contextmanager
def _opened(stores: Stores, request: QuestionRequest) -> Iterator[RoadmapAnswers]:
    """Open the context of a request; nothing is read from it yet."""
    question = roadmap_question(stores.settings, request)
    with stores.read_model.snapshot() as snapshot:
        yield open_roadmaps(snapshot, question, stores.histories, stores.editions)


def _identity(resolved: ResolvedQuestion) -> tuple[str | int, ...]:
    return resolved.repo, resolved.full_name, resolved.as_of, resolved.known_at
