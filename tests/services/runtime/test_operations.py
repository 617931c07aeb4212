"""Processes that answer no questions refuse what the API refuses, in its words."""

import asyncio

import httpx
import pytest
from fastapi import Depends, FastAPI
from prometheus_client import CollectorRegistry

from services.api.problems import handle_errors
from services.api.strict import refuse_unknown
from services.runtime.operations import operations_router
from services.runtime.telemetry import Metrics

PATHS = ("/healthz", "/readyz", "/metrics")


def process() -> FastAPI:
    """Return what a worker and `ingest` serve."""
    app = FastAPI()
    app.include_router(operations_router(Metrics(CollectorRegistry()), list))
    return app


def api() -> FastAPI:
    """Return an application with the API's rules and a route without parameters at each path."""
    app = FastAPI(dependencies=[Depends(refuse_unknown)])
    handle_errors(app)

    async def nothing() -> dict[str, str]:
        return {}

    for path in PATHS:
        app.add_api_route(path, nothing)
    return app


def get(app: FastAPI, path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.get(path)

    return asyncio.run(ask())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "query", ["verbose=1", "verbose", "a=1&a=2", "=1", "x" * 300 + "=1", "%00=1", "names=%E2%80%AE"]
)
def test_an_unknown_parameter_is_refused_as_the_api_refuses_it(path: str, query: str) -> None:
    refused, expected = (get(app, f"{path}?{query}") for app in (process(), api()))
    assert refused.status_code == expected.status_code == 400
    assert refused.json() == expected.json()
    assert refused.json()["error"] == "invalid_question"


@pytest.mark.parametrize("path", PATHS)
def test_without_parameters_they_answer(path: str) -> None:
    assert get(process(), path).status_code == 200
    assert get(process(), f"{path}?").status_code == 200
