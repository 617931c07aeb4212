"""`GET /v1/repositories/{owner}/{name}/report`: one period's ledger."""

from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Response

from events.errors import InvalidQuestion
from events.identity import derived_id
from services.answer_version import answer_version
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.reports.assemble import Report, assemble
from services.reports.period import period
from services.reports.question import Question
from services.reports.render import FORMATS, render

#: A settled answer never changes, for one configuration and one version of the program.
_SETTLED: Final = "private, max-age=0, must-revalidate"


def report_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories/{owner}/{name}/report",
        summary="What was opened, merged, closed and left open in a period",
        responses={
            **RESPONSES,
            200: {"content": {media.partition(";")[0]: {} for media, _ in FORMATS.values()}},
            304: {"description": "The settled answer that the caller has is still the answer."},
        },
        response_class=Response,
    )
    def report(
        owner: str,
        name: str,
        start: Annotated[str, Query(alias="from", examples=["2026-07-01"])],
        end: Annotated[str, Query(alias="to", examples=["2026-08-01"])],
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        format: Annotated[str, Query(description="md, json, html or csv")] = "json",
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        full_name = f"{owner}/{name}"
        zone = context.settings.zone(full_name) if tz is None else tz
        if format not in FORMATS:
            raise InvalidQuestion(f"unknown format {format!r}; there are: {', '.join(FORMATS)}")
        question = Question(
            full_name=full_name,
            period=period(start, end, zone),
            as_of=instant(as_of),
            known_at=instant(known_at),
            roles=context.settings.roles(full_name),
        )
        with context.read_model.snapshot() as snapshot:
            answer = assemble(snapshot, question)
        return _respond(context, answer, format, if_none_match)

    return router


def _respond(context: Context, answer: Report, form: str, known_tag: str | None) -> Response:
    if not answer.settled:
        headers = {"Cache-Control": "no-store"}
        return Response(render(answer, form), media_type=FORMATS[form][0], headers=headers)
    tag = _tag(context, answer, form)
    headers = {"ETag": tag, "Cache-Control": _SETTLED}
    if known_tag is not None and tag in {each.strip() for each in known_tag.split(",")}:
        return Response(status_code=304, headers=headers)
    return Response(render(answer, form), media_type=FORMATS[form][0], headers=headers)


def _tag(context: Context, answer: Report, form: str) -> str:
    """Return the identity of an answer: question, T, K, configuration, answer version."""
    asked = answer.period
    identity = derived_id(
        answer.repo,
        answer.full_name,
        asked.start,
        asked.end,
        asked.zone,
        answer.end,
        answer.as_of,
        answer.known_at,
        context.settings.digest,
        answer_version(),
        form,
    )
    return f'"{identity}"'
