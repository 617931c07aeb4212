"""`/healthz`, `/readyz`, `/metrics`: what is asked of a process that answers questions."""

from typing import Final

import msgspec
from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.api.findings import Findings
from services.api.schemas import described
from services.documents import json
from services.documents.forms import MEDIA_TYPES
from services.runtime.telemetry import Metrics
from services.stream.health import Health, State

_TEXT: Final = {"schema": {"type": "string"}}


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a process is fit to be asked, and how far it is behind the log.

    `notes` names the repositories that are held up alone. `warnings` do not make it unready:
    records are stamped ahead of the clock, for one.
    """

    ready: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    clock_ahead_seconds: float
    behind_records: int
    behind_seconds: float
    dead_letters: int


def health_router(metrics: Metrics, health: Health, findings: Findings) -> APIRouter:
    """Return the routes; none of them computes findings."""
    router = APIRouter(tags=["operations"])

    @router.get("/healthz", summary="Is the process alive?")
    async def healthz() -> dict[str, str]:
        # in the event loop: no question that takes long keeps it waiting for a thread
        return {"status": "alive"}

    @router.get(
        "/readyz",
        summary="Is it fit to be asked? 503 with reasons where the read model is too far behind",
        responses={
            200: described(Readiness, "Ready."),
            503: described(Readiness, "Not ready; `reasons` says why."),
        },
        response_class=Response,
    )
    def readyz() -> Response:
        state = health.look()
        status = 200 if state.ready else 503
        return Response(json.render(_readiness(state)), status, media_type=MEDIA_TYPES["json"])

    @router.get(
        "/metrics",
        summary="Metrics in the text format of Prometheus",
        responses={200: {"description": "The metrics.", "content": {"text/plain": _TEXT}}},
        response_class=Response,
    )
    def scrape() -> Response:
        measure(metrics, health.look())
        findings.tell_age()
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return router


def measure(metrics: Metrics, state: State) -> None:
    """Set the gauges that are true only at the moment at which they are asked for."""
    metrics.clock_ahead.set(state.clock_ahead_seconds)
    for progress in state.progress:
        metrics.dead_letters.labels(progress.name).set(progress.dead_letters)
        for partition in progress.partitions:
            labels = (partition.projection, metrics.bounded("partition", partition.partition))
            metrics.lag_records.labels(*labels).set(partition.records)
            metrics.lag_seconds.labels(*labels).set(partition.seconds)


def _readiness(state: State) -> Readiness:
    return Readiness(
        ready=state.ready,
        reasons=tuple(state.reasons),
        notes=tuple(state.notes),
        warnings=state.warnings,
        clock_ahead_seconds=round(state.clock_ahead_seconds, 3),
        behind_records=state.behind_records,
        behind_seconds=round(state.behind_seconds, 3),
        dead_letters=state.dead_letters,
    )
