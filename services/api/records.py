"""`GET /v1/records/{repository key}/{record id}`: the evidence, as it was received."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from services.answers.records import record_document
from services.api.context import Context
from services.api.errors import RESPONSES
from services.logs.walk import find

_EXAMPLES: Final = ["github.com/1001"]


def records_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["evidence"])

    @router.get(
        "/v1/records/{repository:path}/{record_id}",
        summary="One record as received, with the facts that it states",
        responses=RESPONSES,
        response_class=Response,
    )
    def record(repository: Annotated[str, Path(examples=_EXAMPLES)], record_id: str) -> Response:
        partition = context.partition_of(repository)
        entry = find(context.log, partition, repository, record_id)
        return Response(record_document(entry), media_type="application/json")

    return router
