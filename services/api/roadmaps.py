"""Roadmaps over HTTP: all of them, one, its changes, series, releases, lineage and proposal."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Header, Query, Response

from projections.roadmap_status.editions.walk import EditionCache
from services.answers.questions.period import moment
from services.answers.releases.context import resolve_question
from services.answers.roadmaps import formats
from services.answers.roadmaps.asking import RoadmapAnswers, open_roadmaps, roadmap_question
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.api.settled import respond

_ROADMAPS: Final = "/v1/repositories/{owner}/{name}/roadmaps"
_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    **RESPONSES,
    200: {"content": {media.partition(";")[0]: {} for media in formats.MEDIA.values()}},
    304: {"description": "The settled answer that the caller has is still the answer."},
}
_PATCH: Final = "text/x-diff; charset=utf-8"

Form: TypeAlias = Annotated[str, Query(alias="format", description="json, md, csv or html")]
KnownTag: TypeAlias = Annotated[str | None, Header(alias="If-None-Match")]
Render: TypeAlias = Callable[[RoadmapAnswers], str]
Add: TypeAlias = Callable[[str, str], Callable[[Any], Any]]


def roadmaps_router(context: Context) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["roadmaps"])
    asking = _Asking(context)

    def add(path: str, summary: str) -> Callable[[Any], Any]:
        return router.get(
            f"{_ROADMAPS}{path}", summary=summary, responses=_ANSWERS, response_class=Response
        )

    _add_boards(add, asking)
    _add_over_time(add, asking)
    _add_beside(add, asking)
    return router


def _add_boards(add: Add, asking: "_Asking") -> None:
    @add("", "Which roadmaps there are")
    def all_roadmaps(
        owner: str, name: str, as_of: AsOf = None, known_at: KnownAt = None,
        form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, lambda t: formats.render_listing(t, form), "list")

    @add("/{issue}", "One roadmap: claims, statuses, drift")
    def one_roadmap(
        owner: str, name: str, issue: int, drift: bool = False, as_of: AsOf = None,
        known_at: KnownAt = None, form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        def render(table: RoadmapAnswers) -> str:
            return formats.render_board(table, issue, form, only_drift=drift)

        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, render, "board", issue, int(drift))


def _add_over_time(add: Add, asking: "_Asking") -> None:
    @add("/{issue}/changes", "What the text changed between two moments")
    def changes(
        owner: str, name: str, issue: int, since: Annotated[str, Query(alias="from")],
        until: Annotated[str, Query(alias="to")], as_of: AsOf = None,
        known_at: KnownAt = None, form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        start, end = moment(since), moment(until)

        def render(table: RoadmapAnswers) -> str:
            return formats.render_changes(table, issue, start, end, form)

        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, render, "changes", issue, start, end)

    @add("/{issue}/series", "The statuses over time")
    def over_time(
        owner: str, name: str, issue: int, days: int = 7, as_of: AsOf = None,
        known_at: KnownAt = None, form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        def render(table: RoadmapAnswers) -> str:
            return formats.render_series(table, issue, form, days=days)

        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, render, "series", issue, days)


def _add_beside(add: Add, asking: "_Asking") -> None:
    @add("/{issue}/releases", "Items by releases; `words` keeps those that are about them")
    def releases(
        owner: str, name: str, issue: int, words: str = "", as_of: AsOf = None,
        known_at: KnownAt = None, form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        def render(table: RoadmapAnswers) -> str:
            return formats.render_matrix(table, issue, form, words=words)

        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, render, "releases", issue, words)

    @add("/{issue}/lineage", "Which roadmaps it follows and is followed by, and what slipped")
    def lineage(
        owner: str, name: str, issue: int, as_of: AsOf = None, known_at: KnownAt = None,
        form: Form = "json", tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        def render(table: RoadmapAnswers) -> str:
            return formats.render_lineage(table, issue, form)

        question = (f"{owner}/{name}", as_of, known_at, form, tag)
        return asking.answer(*question, render, "lineage", issue)

    @add("/{issue}/proposal", "The text with true status words, as a patch")
    def proposal(
        owner: str, name: str, issue: int, as_of: AsOf = None, known_at: KnownAt = None,
        tag: KnownTag = None,
    ) -> Response:  # fmt: skip
        def render(table: RoadmapAnswers) -> str:
            return formats.proposal(table, issue).patch

        question = (f"{owner}/{name}", as_of, known_at, "md", tag)
        return asking.answer(*question, render, "proposal", issue, media=_PATCH)


class _Asking:
    """Looks, compares the ETag, and only then computes."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._editions = EditionCache()

    def answer(
        self,
        full_name: str,
        as_of: str | None,
        known_at: str | None,
        form: str,
        known_tag: str | None,
        render: Render,
        *identity: str | int,
        media: str | None = None,
    ) -> Response:
        formats.check(form)
        context = self._context
        question = roadmap_question(
            context.settings, full_name, as_of=instant(as_of), known_at=instant(known_at)
        )
        with context.read_model.snapshot() as snapshot:
            asked = resolve_question(snapshot, question.releases)
            return respond(
                context.settings,
                lambda: render(
                    open_roadmaps(snapshot, question, context.histories, self._editions)
                ),
                media_type=media or formats.MEDIA[form],
                settled=asked.settled,
                identity=(
                    asked.repo,
                    asked.full_name,
                    asked.as_of,
                    asked.known_at,
                    form,
                    *identity,
                ),
                known_tag=known_tag,
            )
