"""`/healthz`, `/readyz`, `/metrics` of a process that answers no questions.

Nothing here waits for anything outside: the process itself says what it knows, so the answer comes
also while the read model or the broker hangs. What is asked with a parameter is refused as the API
refuses it (`services.api.strict`), not ignored.
"""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeAlias

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse

from services.runtime.telemetry.metrics import Metrics

Reasons: TypeAlias = Callable[[], Sequence[str]]
"""Says why the process is not ready; empty while it is."""


_LONGEST: Final = 100
WITHOUT_PARAMETERS: Final = "there is none here"
"""What is said of the parameters of a route that has none."""


def unknown_parameter(name: str, advice: str) -> str:
    """Return the words with which a parameter that a route does not have is refused."""
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return f"unknown parameter {shown!r}; {advice}"


class _RouteWithoutParameters(APIRoute):
    """Answers 400 to whoever gives it a parameter, in the shape of the API's errors."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def refuse_or_handle(request: Request) -> Response:
            name = next(iter(request.query_params), None)
            if name is None:
                return await handle(request)
            message = unknown_parameter(name, WITHOUT_PARAMETERS)
            return JSONResponse({"error": "invalid_question", "message": message}, 400)

        return refuse_or_handle


def operations_router(
    metrics: Metrics, reasons: Reasons, measure: Callable[[], None] = lambda: None
) -> APIRouter:
    """Return the routes; `measure` sets what is true only at the moment of a scrape."""
    router = APIRouter(tags=["operations"], route_class=_RouteWithoutParameters)

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
