"""`GET /v1/repositories/{owner}/{name}/pulls/{number}`: one request's life on both clocks."""

from typing import Any

from fastapi import APIRouter

from services.answers.reports.request_life import as_document, request_life
from services.api.context import Context
from services.api.errors import RESPONSES
from services.api.parameters import AsOf, KnownAt, instant


def pulls_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories/{owner}/{name}/pulls/{number}",
        summary="The life of one pull request, with the records that prove it",
        responses=RESPONSES,
    )
    def pull(
        owner: str, name: str, number: int, as_of: AsOf = None, known_at: KnownAt = None
    ) -> dict[str, Any]:
        with context.read_model.snapshot() as snapshot:
            life = request_life(
                snapshot, f"{owner}/{name}", number, instant(as_of), instant(known_at)
            )
        return as_document(life)

    return router
