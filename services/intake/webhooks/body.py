"""Reading a body within its bounds: cut off while it arrives, never after it was taken in."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from starlette.requests import ClientDisconnect

from services.intake.webhooks.answers import Refusal, Unavailable
from services.intake.webhooks.limits import Limits


class Streamed(Protocol):
    """The part of a request that is used here."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by lower-case name."""

    def stream(self) -> AsyncIterator[bytes]:
        """The body, as it arrives."""


class TooLarge(Refusal):
    """The body is above the limit, so what it holds will never be known."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            413,
            "body_too_large",
            f"At most {limit} bytes are accepted; GitHub itself sends no more than 25 MB of JSON.",
        )


class _Arriving:
    """A body of which more is to come: how much of it is held, and since when nothing came."""

    def __init__(self, timeout: asyncio.Timeout, now: float) -> None:
        self._timeout = timeout
        self.last = now
        self.size = 0

    def give_up(self) -> None:
        """Let its request be answered 408."""
        if not self._timeout.expired():
            self._timeout.reschedule(0)


class BodyReader:
    """Reads bodies, and keeps count of the bytes that all requests hold together.

    Past the bound, bodies of which nothing has come for a while are given up first: whoever sends
    most of a large one and then waits takes no room from those who send theirs.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held = 0
        self._arriving: set[_Arriving] = set()

    async def read(self, request: Streamed, *, is_form: bool, deadline: float) -> bytes:
        """Return the body, whose bytes are counted until it is released.

        Refuse with 413 above the limit (by Content-Length before anything is read), 503 while
        too much is held, 408 when it does not arrive before `deadline` (time of the event loop).
        """
        limit = self._limits.form_bytes if is_form else self._limits.json_bytes
        if _announced(request) > limit:
            raise TooLarge(limit)
        chunks: list[bytes] = []
        try:
            await self._read(request, chunks, limit, deadline)
        except BaseException:
            self._held -= sum(map(len, chunks))
            raise
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def release(self, body: bytes) -> None:
        """Count the bytes of a body no more."""
        self._held -= len(body)

    async def _read(
        self, request: Streamed, chunks: list[bytes], limit: int, deadline: float
    ) -> None:
        now = asyncio.get_running_loop().time
        try:
            async with asyncio.timeout_at(deadline) as timeout:
                body = _Arriving(timeout, now())
                self._arriving.add(body)
                async for chunk in request.stream():
                    chunks.append(chunk)
                    body.size += len(chunk)
                    body.last = now()
                    self._held += len(chunk)
                    self._check(body, limit)
        except ClientDisconnect:
            raise Refusal(400, "body_cut_off", "The connection ended before the body.") from None
        except TimeoutError:
            raise Refusal(408, "body_too_slow", "The body did not arrive in time.") from None
        finally:
            self._arriving.discard(body)

    def _check(self, body: _Arriving, limit: int) -> None:
        if body.size > limit:
            raise TooLarge(limit)
        if self._held > self._limits.held_bytes and not self._make_room(body):
            raise Unavailable(
                "busy",
                "Too many deliveries at once; redeliver this one later.",
                retry_after=self._limits.retry_after_seconds,
            )

    def _make_room(self, body: _Arriving) -> bool:
        """Give up stalled bodies, the longest first; tell whether that is enough."""
        room = self._held - self._limits.held_bytes
        stalled = body.last - self._limits.stalled_seconds
        for other in sorted(self._arriving, key=lambda arriving: arriving.last):
            if room <= 0 or other.last > stalled:
                break
            other.give_up()
            # its bytes are let go once its request ends, which is next
            room -= other.size
        return room <= 0


def _announced(request: Streamed) -> int:
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0
