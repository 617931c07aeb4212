"""`/healthz`, `/readyz`, `/metrics` of a process that answers no questions.

Nothing here waits for anything outside: the process itself says what it knows, so the answer comes
also while the read model or the broker hangs.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse

from services.runtime.telemetry.metrics import Metrics

Reasons: TypeAlias = Callable[[], Sequence[str]]
"""Says why the process is not ready; empty while it is."""


def operations_router(
    metrics: Metrics, reasons: Reasons, measure: Callable[[], None] = lambda: None
) -> APIRouter:
    """Return the routes; `measure` sets what is true only at the moment of a scrape."""
    router = APIRouter(tags=["operations"])

    @router.get("/healthz", summary="Is the process alive?")
    async def healthz() -> dict[str, str]:
        # in the event loop: no question that takes long keeps it waiting for a thread
        return {"status": "alive"}

    @router.get("/readyz", summary="Does it do its work? 503 with reasons where it does not")
    def readyz() -> Response:
        why = list(reasons())
        return JSONResponse({"ready": not why, "reasons": why}, 503 if why else 200)

    @router.get("/metrics", summary="Metrics in the text format of Prometheus")
    def scrape() -> Response:
        metrics.ready.set(0 if reasons() else 1)
        measure()
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return router
