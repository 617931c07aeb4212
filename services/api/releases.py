"""Releases over HTTP: all of them, one, those of one pull request, and what waits for review."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Header, Path, Query, Response

from services.answers.editions.render.json_document import pair_document
from services.answers.questions.period import named_period
from services.answers.releases.asking import release_question
from services.answers.releases.context import ReleaseContext, open_releases, resolve_question
from services.answers.releases.formats import (
    MEDIA,
    check,
    render_listing,
    render_page,
    render_request,
)
from services.answers.releases.inclusion import everywhere
from services.answers.releases.listing import listing
from services.answers.releases.release_page import Filter, release_page
from services.answers.releases.reviews import document, review_list
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.api.settled import respond
from services.authoring.decisions.pairs import pairs_in_doubt

_REPOSITORY: Final = "/v1/repositories/{owner}/{name}"
_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    **RESPONSES,
    200: {"content": {media.partition(";")[0]: {} for media in MEDIA.values()}},
    304: {"description": "The settled answer that the caller has is still the answer."},
}

Form: TypeAlias = Annotated[str, Query(alias="format", description="json, md or html")]
KnownTag: TypeAlias = Annotated[str | None, Header(alias="If-None-Match")]
Tag: TypeAlias = Annotated[
    str, Path(description="A tag, or an alias of one.", examples=["core_v0.19.0"])
]
Against: TypeAlias = Annotated[
    str | None, Query(description="Told against this tag or alias; else its predecessor.")
]
PathGlob: TypeAlias = Annotated[
    str | None, Query(description="Only what touches such a path, or such a folder.")
]
Label: TypeAlias = Annotated[str | None, Query(description="Only requests with this label.")]


def releases_router(context: Context) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["releases"])
    asking = _Asking(context)

    @router.get(
        f"{_REPOSITORY}/releases",
        summary="All releases, with what each brings against the one before",
        responses=_ANSWERS,
        response_class=Response,
    )
    def all_releases(
        owner: str,
        name: str,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        form: Form = "json",
        if_none_match: KnownTag = None,
    ) -> Response:
        return asking.answer(
            f"{owner}/{name}", as_of, known_at, form, if_none_match,
            lambda ground: render_listing(listing(ground), form), "releases",
        )  # fmt: skip

    @router.get(
        f"{_REPOSITORY}/releases/{{tag:path}}",
        summary="One release: what is new, removed, reverted, and what cannot be told",
        responses=_ANSWERS,
        response_class=Response,
    )
    def one_release(
        owner: str,
        name: str,
        tag: Tag,
        against: Against = None,
        path: PathGlob = None,
        label: Label = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        form: Form = "json",
        if_none_match: KnownTag = None,
    ) -> Response:
        shown = Filter(path=path, label=label)

        def render(ground: ReleaseContext) -> str:
            return render_page(release_page(ground, tag, against=against, shown=shown), form)

        return asking.answer(
            f"{owner}/{name}", as_of, known_at, form, if_none_match, render,
            "release", tag, repr((against, path, label)),
        )  # fmt: skip

    @router.get(
        f"{_REPOSITORY}/pulls/{{number}}/releases",
        summary="Every release and branch: is this pull request in it, how, and if not, why not",
        responses=_ANSWERS,
        response_class=Response,
    )
    def releases_of_request(
        owner: str,
        name: str,
        number: int,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        form: Form = "json",
        if_none_match: KnownTag = None,
    ) -> Response:
        return asking.answer(
            f"{owner}/{name}", as_of, known_at, form, if_none_match,
            lambda ground: render_request(everywhere(ground, number), form), "included", number,
        )  # fmt: skip

    @router.get(
        f"{_REPOSITORY}/review",
        summary="What commits seem to revert, restore or pick, and a person has to confirm; with "
        "a period, the requests that may land one change",
        responses=RESPONSES,
    )
    def review(
        owner: str,
        name: str,
        period: Annotated[str | None, Query(examples=["2026-07"])] = None,
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        known_at: KnownAt = None,
    ) -> dict[str, Any]:
        full_name = f"{owner}/{name}"
        if period is not None:
            asked = named_period(period, tz or context.settings.zone(full_name))
            with context.read_model.snapshot() as snapshot:
                found = pairs_in_doubt(
                    *(snapshot, context.settings, full_name, asked, context.histories),
                    known_at=instant(known_at),
                )
            return {"waiting": [pair_document(one) for one in found.pairs]}
        question = release_question(context.settings, full_name, known_at=instant(known_at))
        with context.read_model.snapshot() as snapshot:
            return document(review_list(open_releases(snapshot, question, context.histories)))

    return router


class _Asking:
    """Looks, compares the ETag, and only then computes."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def answer(
        self,
        full_name: str,
        as_of: str | None,
        known_at: str | None,
        form: str,
        known_tag: str | None,
        render: Callable[[ReleaseContext], str],
        *identity: str | int,
    ) -> Response:
        check(form)
        settings = self._context.settings
        question = release_question(
            settings, full_name, as_of=instant(as_of), known_at=instant(known_at)
        )
        with self._context.read_model.snapshot() as snapshot:
            asked = resolve_question(snapshot, question)
            return respond(
                settings,
                lambda: render(open_releases(snapshot, question, self._context.histories)),
                media_type=MEDIA[form],
                settled=asked.settled,
                identity=(
                    *(asked.repo, asked.full_name, asked.as_of, int(asked.dated), asked.known_at),
                    *(form, *identity),
                ),
                known_tag=known_tag,
            )
