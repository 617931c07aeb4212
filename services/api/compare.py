"""`GET /v1/repositories/{owner}/{name}/report/compare`: what changed since another answer."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from events.errors import InvalidQuestion
from projections.store.snapshot import Snapshot
from services.answers.questions.period import moment, period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.exclusion_rules import exclusion_rules
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.audit.restatements import (
    FORMATS,
    Before,
    compare,
    edition_before,
    known_before,
    render,
)


def compare_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories/{owner}/{name}/report/compare",
        summary="What changed in a period's report since another known time, or since an edition",
        responses={
            **RESPONSES,
            200: {"content": {media.partition(";")[0]: {} for media, _ in FORMATS.values()}},
        },
        response_class=Response,
    )
    def compared(
        owner: str,
        name: str,
        start: Annotated[str, Query(alias="from", examples=["2026-07-01"])],
        end: Annotated[str, Query(alias="to", examples=["2026-08-01"])],
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        compare_known_at: Annotated[
            str | None, Query(description="The earlier known time. A time with its offset.")
        ] = None,
        compare_edition: Annotated[
            str | None, Query(description="The record id of a published edition.")
        ] = None,
        format: Annotated[str, Query(description="json or md")] = "json",
    ) -> Response:
        if format not in FORMATS:
            raise InvalidQuestion(f"unknown format {format!r}; there are: {', '.join(FORMATS)}")
        full_name = f"{owner}/{name}"
        question = ReportQuestion(
            full_name=full_name,
            period=period(start, end, context.settings.zone(full_name) if tz is None else tz),
            as_of=instant(as_of),
            known_at=instant(known_at),
            roles=context.settings.roles(full_name),
            rules=exclusion_rules(context.settings, full_name),
        )
        with context.read_model.snapshot() as snapshot:
            before = _before(context, snapshot, question, compare_known_at, compare_edition)
            found = compare(context, snapshot, question, before)
        headers = {"Cache-Control": "no-store"}
        return Response(render(found, format), media_type=FORMATS[format][0], headers=headers)

    return router


def _before(
    context: Context,
    snapshot: Snapshot,
    question: ReportQuestion,
    known_at: str | None,
    edition: str | None,
) -> Before:
    if known_at is not None and edition is None:
        return known_before(context, snapshot, question, moment(known_at))
    if edition is not None and known_at is None:
        return edition_before(context, snapshot, question, edition)
    raise InvalidQuestion("say what to compare with: compare_known_at, or compare_edition")
