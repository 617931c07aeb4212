"""The application: questions, evidence, operations and the page, and ingestion where it is here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from fastapi import Depends, FastAPI

from services.api.editions import editions_router
from services.api.findings import Findings, FindingsLoop
from services.api.health import health_router
from services.api.pages.home import page_router
from services.api.problems import handle_errors
from services.api.pulls import pulls_router
from services.api.releases import releases_router
from services.api.report import report_router
from services.api.repositories import repositories_router
from services.api.roadmaps import roadmaps_router
from services.api.schemas import describe_answers, described
from services.api.strict import refuse_unknown
from services.intake.webhooks import Ingest, webhook_router
from services.intake.webhooks.answers import Refused, Taken
from services.runtime.telemetry import Metrics
from services.stream.health import Health
from services.stream.stores import Stores

_DESCRIPTION: Final = (
    "Release tracking that is right: what was opened, merged, closed and left open in a period, "
    "as of any moment (`as_of`: when it was true; `known_at`: when it had been recorded), with the "
    "records that prove it. A count is an integer, or null where it is unknown; `quality` says "
    "whether it is exact."
)
_DELIVERIES: Final[dict[int | str, dict[str, Any]]] = {
    200: described(Taken, "The delivery was stored before."),
    202: described(Taken, "The delivery is stored durably, or is of a kind that is counted only."),
    400: described(Refused, "It is no delivery of GitHub's; nothing is stored."),
    401: described(Refused, "It has no signature."),
    403: described(Refused, "Its signature does not fit."),
    408: described(Refused, "Its body came too slowly."),
    413: described(Refused, "It is larger than GitHub's limit; the loss is recorded."),
    503: described(Refused, "It cannot be stored for the moment; redeliver it."),
}


def create_app(stores: Stores, metrics: Metrics, health: Health, ingest: Ingest | None) -> FastAPI:
    """Return the application. Its lifespan starts and ends ingestion, if it has one, and the look
    at what persons should look at.
    """
    findings = Findings(stores, metrics)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        looking = FindingsLoop(findings)
        if ingest is not None:
            ingest.start()
        looking.start()
        try:
            yield
        finally:
            looking.stop()
            if ingest is not None:
                ingest.close()

    app = FastAPI(
        title="Shipledger",
        description=_DESCRIPTION,
        version=version("shipledger"),
        lifespan=lifespan,
        dependencies=[Depends(refuse_unknown)],
    )
    handle_errors(app)
    describe_answers(app)
    if ingest is not None:
        app.include_router(webhook_router(ingest), responses=_DELIVERIES)
    for router in (
        repositories_router(stores),
        report_router(stores),
        editions_router(stores),
        pulls_router(stores),
        releases_router(stores),
        roadmaps_router(stores),
        health_router(metrics, health, findings),
        page_router(stores),
    ):
        app.include_router(router)
    return app
