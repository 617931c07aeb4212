"""`/healthz`, `/readyz`, `/metrics`: what supervisors and Prometheus ask."""

from typing import Any

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse

from services.api.context import Context
from services.api.findings import Findings
from services.runtime.telemetry import Metrics
from services.stream.health import State


def operations_router(context: Context) -> APIRouter:
    """Return the routes."""
    router = APIRouter(tags=["operations"])
    findings = Findings(context)

    @router.get("/healthz", summary="Is the process alive?")
    def healthz() -> dict[str, str]:
        return {"status": "alive"}

    @router.get(
        "/readyz",
        summary="Is it fit to be asked? 503 with reasons where the read model is too far behind",
        responses={503: {"description": "Not ready; `reasons` says why."}},
    )
    def readyz() -> Response:
        state = context.health.look()
        return JSONResponse(_document(state), 200 if state.ready else 503)

    @router.get("/metrics", summary="Metrics in the text format of Prometheus")
    def metrics() -> Response:
        measure(context.metrics, context.health.look())
        findings.measure()
        return Response(generate_latest(context.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return router


def measure(metrics: Metrics, state: State) -> None:
    """Set the gauges that are true only at the moment at which they are asked for."""
    for progress in state.progress:
        metrics.dead_letters.labels(progress.name).set(progress.dead_letters)
        for each in progress.partitions:
            labels = (each.projection, metrics.bounded("partition", each.partition))
            metrics.lag_records.labels(*labels).set(each.records)
            metrics.lag_seconds.labels(*labels).set(each.seconds)


def _document(state: State) -> dict[str, Any]:
    return {
        "ready": state.ready,
        "reasons": list(state.reasons),
        "behind_records": state.behind_records,
        "behind_seconds": round(state.behind_seconds, 3),
        "dead_letters": state.dead_letters,
    }
