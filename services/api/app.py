"""The application: questions, evidence, operations and the page, and ingestion where it is here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI

from services.api.compare import compare_router
from services.api.context import Context
from services.api.editions import editions_router
from services.api.errors import handle_errors
from services.api.operations import operations_router
from services.api.pages.page import page_router
from services.api.pulls import pulls_router
from services.api.records import records_router
from services.api.releases import releases_router
from services.api.report import report_router
from services.api.repositories import repositories_router
from services.api.roadmaps import roadmaps_router
from services.api.schemas import describe_answers
from services.api.why import why_router
from services.intake.webhooks import Ingest, webhook_router

_DESCRIPTION: Final = (
    "Release tracking that is right: what was opened, merged, closed and left open in a period, "
    "as of any moment (`as_of`: when it was true; `known_at`: when it had been recorded), with the "
    "records that prove it. A count is an integer, or null where it is unknown; `quality` says "
    "whether it is exact."
)


def create_app(context: Context, ingest: Ingest | None) -> FastAPI:
    """Return the application; its lifespan starts and closes ingestion, if it has one."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if ingest is not None:
            ingest.start()
        try:
            yield
        finally:
            if ingest is not None:
                ingest.close()

    app = FastAPI(
        title="Shipledger",
        description=_DESCRIPTION,
        version=version("shipledger"),
        lifespan=lifespan,
    )
    handle_errors(app)
    describe_answers(app)
    if ingest is not None:
        app.include_router(webhook_router(ingest))
    for router in (
        repositories_router(context),
        report_router(context),
        compare_router(context),
        editions_router(context),
        pulls_router(context),
        why_router(context),
        releases_router(context),
        roadmaps_router(context),
        records_router(context),
        operations_router(context),
        page_router(context),
    ):
        app.include_router(router)
    return app
