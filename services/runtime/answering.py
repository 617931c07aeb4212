"""How answers leave: the transport that uvicorn writes to, and answers without an application."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import msgspec

#: Bytes of a piece of an answer that may wait for the next piece.
_SHORT: Final = 16 * 1024


class AnswerTransport(asyncio.Transport):
    """The transport that uvicorn sees: how it is closed is decided by the protocol.

    The head of an answer and a short content are sent together, not as two packets.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        close: Callable[[], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__()
        self._transport = transport
        self._close = close
        self._loop = loop
        self._closing = False
        self._held: list[bytes | bytearray | memoryview] = []

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing:
            return
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        if len(data) > _SHORT:
            self.flush()

    def flush(self) -> None:
        """Send what was held for a moment."""
        if self._held:
            held, self._held = self._held, []
            self._transport.writelines(held)

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def is_closing(self) -> bool:
        return self._closing or self._transport.is_closing()

    def close(self) -> None:
        self.flush()
        self._closing = True
        self._close()


def whole_answer(status: int, code: str, message: str) -> bytes:
    """Return a whole answer, for a connection that ends with it."""
    body = msgspec.json.encode({"error": code, "message": message})
    reason = {408: "Request Timeout", 503: "Service Unavailable"}[status]
    head = (
        f"HTTP/1.1 {status} {reason}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nretry-after: 10\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
