"""`GET …/pulls/{number}/why`: is it told in a period's report, or in a release's edition?"""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from services.answers.editions import why as of_period
from services.answers.editions.asking import named_question
from services.answers.editions.releases import why as of_releases
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant


def why_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories/{owner}/{name}/pulls/{number}/why",
        summary="Why a pull request is, or is not, told in the report of a period or a release",
        responses=RESPONSES,
    )
    def route(
        owner: str,
        name: str,
        number: int,
        period: Annotated[
            str | None, Query(examples=["2026-07", "2026-Q3", "2026-07-01..2026-08-01"])
        ] = None,
        releases: Annotated[str | None, Query(examples=["v1.2.0..v1.3.0"])] = None,
        tz: Annotated[str | None, Query(examples=["Asia/Shanghai"])] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> dict[str, Any]:
        full_name = f"{owner}/{name}"
        with context.read_model.snapshot() as snapshot:
            question = named_question(
                *(snapshot, context.settings, full_name),
                named=period,
                releases=releases,
                zone=context.settings.zone(full_name) if tz is None else tz,
                as_of=instant(as_of),
                known_at=instant(known_at),
            )
            if question.releases is not None:
                found = of_releases.why_of_release(snapshot, question, number)
                return of_releases.as_document(found)
            return of_period.as_document(of_period.why_of_period(snapshot, question, number))

    return router
