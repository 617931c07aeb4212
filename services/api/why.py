"""`GET /v1/repositories/{owner}/{name}/pulls/{number}/why`: is it told in a period's report?"""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant
from services.reports.exclusion_rules import exclusion_rules
from services.reports.named_period import named_period
from services.reports.question import Question
from services.reports.why import as_document, why


def why_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories/{owner}/{name}/pulls/{number}/why",
        summary="Why a pull request is, or is not, told in the report of a period",
        responses=RESPONSES,
    )
    def route(
        owner: str,
        name: str,
        number: int,
        period: Annotated[str, Query(examples=["2026-07", "2026-Q3", "2026-07-01..2026-08-01"])],
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> dict[str, Any]:
        full_name = f"{owner}/{name}"
        question = Question(
            full_name=full_name,
            period=named_period(period, context.settings.zone(full_name) if tz is None else tz),
            as_of=instant(as_of),
            known_at=instant(known_at),
            roles=context.settings.roles(full_name),
            rules=exclusion_rules(context.settings, full_name),
        )
        with context.read_model.snapshot() as snapshot:
            return as_document(why(snapshot, question, number))

    return router
