"""`GET /v1/repositories`, and the records that prove an answer."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Response

from services.answers.records import RecordAnswer, record_forms
from services.answers.reports.repositories import (
    RepositoriesAnswer,
    list_repositories,
    repositories_forms,
)
from services.api.responder import respond
from services.api.schemas import answers
from services.logs.walk import find
from services.stream.stores import Stores

_EXAMPLES: Final = ["github.com/1001"]


def repositories_router(stores: Stores) -> APIRouter:
    """Return the routes."""
    router = APIRouter()

    @router.get(
        "/v1/repositories",
        tags=["reports"],
        summary="All repositories of which something was recorded",
        responses=answers(RepositoriesAnswer),
        response_class=Response,
    )
    def repositories() -> Response:
        with stores.read_model.snapshot() as snapshot:
            return respond(repositories_forms(list_repositories(snapshot)))

    @router.get(
        "/v1/records/{repository:path}/{record_id}",
        tags=["evidence"],
        summary="One record as received, with the facts that it states",
        responses=answers(RecordAnswer),
        response_class=Response,
    )
    def record(repository: Annotated[str, Path(examples=_EXAMPLES)], record_id: str) -> Response:
        partition = stores.partition_of(repository)
        return respond(record_forms(find(stores.log, partition, repository, record_id)))

    return router
