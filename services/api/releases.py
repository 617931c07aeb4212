"""Releases over HTTP: all of them, one, those of one pull request, and what waits for review."""

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from fastapi import APIRouter, Path, Query, Response

from services.answers.editions.answer import PairsAnswer
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.releases import forms
from services.answers.releases.answer import ListingAnswer, PageAnswer
from services.answers.releases.context import ReleaseContext, open_releases, resolve_question
from services.answers.releases.filters import Filter
from services.answers.releases.inclusion import everywhere
from services.answers.releases.inclusion_answer import EverywhereAnswer, ReviewsAnswer
from services.answers.releases.listing import listing
from services.answers.releases.release_page import release_page
from services.answers.releases.reviews import review_list
from services.api.parameters import Asked, Form, KnownTag, Number, Waiting
from services.api.responder import respond, respond_settled
from services.api.schemas import answers
from services.authoring.decisions.pairs import pairs_forms, pairs_in_doubt
from services.documents.forms import ANSWER_FORMS, Forms, check_form
from services.stream.stores import Stores

_REPOSITORY: Final = "/v1/repositories/{owner}/{name}"

Tag: TypeAlias = Annotated[
    str, Path(description="A tag, or an alias of one.", examples=["core_v0.19.0"])
]
Against: TypeAlias = Annotated[
    str | None, Query(description="Told against this tag or alias; else its predecessor.")
]
PathGlob: TypeAlias = Annotated[
    str | None, Query(description="Only what touches such a path, or such a folder.")
]
Family: TypeAlias = Annotated[
    str | None,
    Query(description="Only tags of this family: by its form, name or folder.", examples=["v*"]),
]
Label: TypeAlias = Annotated[str | None, Query(description="Only requests with this label.")]


def releases_router(stores: Stores) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["releases"])

    @router.get(
        f"{_REPOSITORY}/releases",
        summary="All releases, with what each brings against the one before",
        responses=answers(ListingAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def all_releases(
        request: Asked, family: Family = None, form: Form = "json", known_tag: KnownTag = None
    ) -> Response:
        def make(context: ReleaseContext, base: str | None) -> Forms:
            return forms.listing_forms(listing(context, family), base)

        return _answer(stores, request, make, form, known_tag, "releases", repr(family))

    @router.get(
        f"{_REPOSITORY}/releases/{{tag:path}}",
        summary="One release: what is new, removed, reverted, and what cannot be told",
        responses=answers(PageAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def one_release(
        request: Asked,
        tag: Tag,
        against: Against = None,
        path: PathGlob = None,
        label: Label = None,
        form: Form = "json",
        known_tag: KnownTag = None,
    ) -> Response:
        def make(context: ReleaseContext, base: str | None) -> Forms:
            filters = Filter(path=path, label=label)
            page = release_page(context, tag, against=against, shown=filters)
            return forms.page_forms(page, base)

        identity = ("release", tag, repr((against, path, label)))
        return _answer(stores, request, make, form, known_tag, *identity)

    @router.get(
        f"{_REPOSITORY}/pulls/{{number}}/releases",
        summary="Every release and branch: is this pull request in it, how, and if not, why not",
        responses=answers(EverywhereAnswer, *ANSWER_FORMS, settled=True),
        response_class=Response,
    )
    def releases_of_request(
        request: Asked, number: Number, form: Form = "json", known_tag: KnownTag = None
    ) -> Response:
        def make(context: ReleaseContext, base: str | None) -> Forms:
            return forms.everywhere_forms(everywhere(context, number), base)

        return _answer(stores, request, make, form, known_tag, "included", number)

    @router.get(
        f"{_REPOSITORY}/review",
        summary="What commits seem to revert, restore or pick, and a person has to confirm; with "
        "a period, the requests that may land one change",
        responses=answers((ReviewsAnswer, PairsAnswer), *ANSWER_FORMS),
        response_class=Response,
    )
    def review(request: Waiting, form: Form = "json") -> Response:
        with stores.read_model.snapshot() as snapshot:
            if request.period is not None:
                return respond(pairs_forms(pairs_in_doubt(stores, snapshot, request)), form)
            question = QuestionBuilder(stores.settings).repository(request)
            context = open_releases(snapshot, question, stores.histories)
            return respond(forms.reviews_forms(review_list(context)), form)

    return router


def _answer(
    stores: Stores,
    request: QuestionRequest,
    make: Callable[[ReleaseContext, str | None], Forms],
    form: str,
    known_tag: str | None,
    *identity: str | int,
) -> Response:
    """Resolve the question, compare the ETag, and only then compute; pages lead to each other."""
    check_form(form, ANSWER_FORMS)
    question = QuestionBuilder(stores.settings).repository(request)
    with stores.read_model.snapshot() as snapshot:
        resolved = resolve_question(snapshot, question)
        base = forms.base_of(resolved.full_name) if form == "html" else None
        return respond_settled(
            stores.settings,
            lambda: make(open_releases(snapshot, question, stores.histories), base),
            form,
            settled=resolved.settled,
            identity=(
                resolved.repo,
                resolved.full_name,
                resolved.as_of,
                int(resolved.dated),
                resolved.known_at,
                *identity,
            ),
            known_tag=known_tag,
        )
