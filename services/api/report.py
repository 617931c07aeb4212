"""`GET /v1/repositories/{owner}/{name}/report`: one period's ledger."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from events.errors import InvalidQuestion
from projections.store.snapshot import Snapshot
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.releases.asking import release_settings
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.exclusion_rules import exclusion_rules
from services.answers.reports.render import FORMATS, render
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.api.settled import respond
from services.audit.receipts import make_receipt, printed


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
        configured = release_settings(context.settings, full_name)
        question = ReportQuestion(
            full_name=full_name,
            period=period(start, end, zone),
            as_of=instant(as_of),
            known_at=instant(known_at),
            roles=context.settings.roles(full_name),
            families=configured.families,
            aliases=configured.aliases,
            rules=exclusion_rules(context.settings, full_name),
        )
        with context.read_model.snapshot() as snapshot:
            answer = assemble(snapshot, question, context.histories)
            return respond(
                context.settings,
                lambda: _with_receipt(context, snapshot, question, answer, format),
                media_type=FORMATS[format][0],
                settled=answer.settled,
                identity=(*_identity(answer), format),
                known_tag=if_none_match,
            )

    return router


def _with_receipt(
    context: Context, snapshot: Snapshot, question: ReportQuestion, answer: Report, form: str
) -> str:
    text = render(answer, form)
    return printed(text, make_receipt(context, snapshot, answer, question, text, form))


def _identity(answer: Report) -> tuple[str | int, ...]:
    """Return question, T and K."""
    asked = answer.period
    return (
        *(answer.repo, answer.full_name, asked.start, asked.end, asked.zone),
        *(answer.end, answer.as_of, answer.known_at),
    )
