"""The short way of a delivery: past the layers that questions need.

A framework's routing, dependencies and middleware cost more than all that is done with a delivery.
So what is posted to the webhook address is taken here, and everything else, such as a GET of that
address, goes on to the application, which has the same route: its document describes it.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from services.intake.webhooks.ingest import WEBHOOK_PATH, Ingest


class _Delivered:
    """A request as `Ingest` reads it; of a header that comes twice the first counts."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.headers: Final[Mapping[str, str]] = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in reversed(scope["headers"])
        }
        self._receive = receive

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the body, as it arrives."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] != "http.request":
                raise ClientDisconnect
            more = message.get("more_body", False)
            if body := message.get("body"):
                yield body


def deliveries_first(ingest: Ingest, app: ASGIApp) -> ASGIApp:
    """Return an application that hands deliveries to `ingest`, and all else to `app`."""

    async def take(scope: Scope, receive: Receive, send: Send) -> None:
        is_delivery = scope["type"] == "http" and scope["path"] == WEBHOOK_PATH
        if not is_delivery or scope["method"] != "POST":
            await app(scope, receive, send)
            return
        response = await ingest.receive(_Delivered(scope, receive))
        await response(scope, receive, send)

    return take
