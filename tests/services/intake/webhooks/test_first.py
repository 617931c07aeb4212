"""The short way of a delivery: what takes it, and what goes on to the application."""

import asyncio
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from services.intake.webhooks import deliveries_first
from services.intake.webhooks.ingest import WEBHOOK_PATH
from tests.services.intake.webhooks.gateway import Gateway, payload, request

BODY = payload("pull_request__closed_merged")


class Reached(Exception):
    """The application behind was asked."""


async def behind(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise Reached


def ask(gateway: Gateway, messages: list[dict[str, Any]], **scope: Any) -> list[Any]:
    """Send messages to the application; return what it answered."""
    content, headers = request(BODY)
    assert isinstance(content, bytes)
    named = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    whole = {"type": "http", "method": "POST", "path": WEBHOOK_PATH, "query_string": b""}
    told: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        told.append(message)

    app = deliveries_first(gateway.ingest, behind)

    async def call() -> None:
        await app({**whole, "headers": named, **scope}, receive, send)

    asyncio.run(call())
    return told


def pieces(*bodies: bytes) -> list[dict[str, Any]]:
    last = len(bodies) - 1
    return [
        {"type": "http.request", "body": body, "more_body": nth < last}
        for nth, body in enumerate(bodies)
    ]


@pytest.mark.parametrize("query", [b"", b"from=here"])
def test_what_is_posted_to_the_address_is_taken_whole_or_in_pieces(query: bytes) -> None:
    with Gateway() as gateway:
        for messages in (pieces(BODY), pieces(b"", BODY[:100], b"", BODY[100:], b"")):
            told = ask(gateway, messages, query_string=query)
            assert told[0]["status"] in (200, 202)
        assert len(gateway.records()) == 1


def test_a_sender_that_goes_away_is_told_apart_from_a_body() -> None:
    with Gateway() as gateway:
        messages = [*pieces(BODY[:9], b"")[:1], {"type": "http.disconnect"}]
        assert ask(gateway, messages)[0]["status"] == 400
        assert gateway.records() == []


def test_of_a_header_that_comes_twice_the_first_counts() -> None:
    _, headers = request(BODY)
    named = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    twice = [*named, (b"x-github-delivery", b"another")]
    with Gateway() as gateway:
        ask(gateway, pieces(BODY), headers=twice)
        assert [record.id for record in gateway.records()] == [headers["X-GitHub-Delivery"]]


@pytest.mark.parametrize(
    "scope",
    [{"method": "GET"}, {"path": "/readyz"}, {"path": WEBHOOK_PATH + "/"}, {"type": "lifespan"}],
)
def test_all_else_goes_on_to_the_application(scope: dict[str, Any]) -> None:
    with Gateway() as gateway, pytest.raises(Reached):
        ask(gateway, pieces(BODY), **scope)
