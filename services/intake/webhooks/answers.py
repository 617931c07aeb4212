"""What a delivery is answered: that it was taken, or why not and what to do."""

import msgspec
from starlette.responses import Response


class Taken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A delivery is stored, was stored before, or is of a kind that is counted only.

    `partition` and `position` say where in the log its record is.
    """

    outcome: str
    delivery: str
    partition: str | msgspec.UnsetType = msgspec.UNSET
    position: int | msgspec.UnsetType = msgspec.UNSET


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery was not taken: nothing of it is in the log. `message` says what to do."""

    error: str
    message: str
    delivery: str | None


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


def answer(status: int, content: Taken | Refused) -> Response:
    """Return a JSON answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refuse(refusal: Refusal, delivery: str | None) -> Response:
    """Return the answer to a request that was not accepted."""
    content = Refused(error=refusal.code, message=refusal.message, delivery=delivery)
    response = answer(refusal.status, content)
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if refusal.status in (408, 413):
        # The rest of the body is not read, so the connection is of no further use.
        response.headers["Connection"] = "close"
    return response
