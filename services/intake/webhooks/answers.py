"""Answers in one shape: `{"error": code, "message": what to do, "delivery": id}`."""

from typing import Any

import msgspec
from starlette.responses import Response


class Refusal(Exception):
    """A request is not accepted; `code` is a constant that metrics and clients can rely on."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after


class Unavailable(Refusal):
    """A genuine delivery cannot be stored now; GitHub shows it as failed, to be sent again."""

    def __init__(self, code: str, message: str, *, retry_after: int) -> None:
        super().__init__(503, code, message, retry_after=retry_after)


def answer(status: int, **content: Any) -> Response:
    """Return a JSON answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refuse(refusal: Refusal, delivery: str | None) -> Response:
    """Return the answer to a request that was not accepted."""
    response = answer(
        refusal.status, error=refusal.code, message=refusal.message, delivery=delivery
    )
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if refusal.status in (408, 413):
        # The rest of the body is not read, so the connection is of no further use.
        response.headers["Connection"] = "close"
    return response
