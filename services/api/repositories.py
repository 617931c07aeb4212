"""`GET /v1/repositories`: which repositories there are, and how far each is known."""

from typing import Any

from fastapi import APIRouter

from services.answers.reports.repositories import list_repositories
from services.api.context import Context
from services.api.errors import RESPONSES


def repositories_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["reports"])

    @router.get(
        "/v1/repositories",
        summary="All repositories of which something was recorded",
        responses=RESPONSES,
    )
    def repositories() -> dict[str, Any]:
        with context.read_model.snapshot() as snapshot:
            found = list_repositories(snapshot)
        return {"repositories": [each.document() for each in found]}

    return router
