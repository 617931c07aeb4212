"""Connections from a network that means no good: each has its time, and all have a bound.

uvicorn bounds how long an idle connection is kept between two requests, and nothing else. Here a
connection also has a time for the head of a request, for its body and for taking the answer, and
there are only so many. Past that the one that has waited longest for a request to become whole
makes room: whoever opens thousands and sends nothing pushes out himself, and who asks is answered.

An answer before the whole request has come (413, 401) is followed by reading on for a while:
closing at once would let the kernel send a reset, which takes the answer from the sender.
https://www.rfc-editor.org/rfc/rfc9112#section-9.6
"""

import asyncio
from typing import Any, Literal, TypeAlias

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.runtime.answering import AnswerTransport, whole_answer
from services.runtime.connection_limits import ConnectionLimits

_Phase: TypeAlias = tuple[Literal["head", "body", "linger"], object]
_logger = structlog.get_logger(__name__)


class ConnectionGuard:
    """What the connections of one server share: their limits, and who waits for how long."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._open: set[GuardedProtocol] = set()
        #: Those whose request is not whole yet, the longest waiting first.
        self._waiting: dict[GuardedProtocol, None] = {}

    def protocol(self, **given: Any) -> "GuardedProtocol":
        """Return the protocol of a new connection, as uvicorn asks for it."""
        return GuardedProtocol(guard=self, **given)

    def wait(self, connection: "GuardedProtocol") -> None:
        """Note that a connection begins to wait for the next part of a request."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = None

    def end_wait(self, connection: "GuardedProtocol") -> None:
        """Note that it waits no more."""
        self._waiting.pop(connection, None)

    def admit(self, connection: "GuardedProtocol") -> bool:
        """Count a new connection, and tell whether it may stay; one that waits gives way to it."""
        self._open.add(connection)
        if len(self._open) <= self.limits.connections:
            return True
        longest = next(iter(self._waiting), None)
        if longest is None:
            return False
        longest.give_way()
        return True

    def leave(self, connection: "GuardedProtocol") -> None:
        """Count a connection no more."""
        self.end_wait(connection)
        self._open.discard(connection)


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with the times of a connection, and a bound of each head.

    The parser goes ahead of the answers: a further request counts once the one before is answered.
    """

    def __init__(self, *, guard: ConnectionGuard, **given: Any) -> None:
        super().__init__(**given)
        self._guard = guard
        self._limits = guard.limits
        self._socket: asyncio.Transport
        self._answers: AnswerTransport
        self._phase: _Phase | None = None
        #: What the parser is at; after a whole request it is the next one's head.
        self._part: Literal["head", "body", "end"] = "head"
        self._head_bytes = 0
        self._malformed: str | None = None
        self._lingering = False
        self._discarded = 0
        self._gone = self._begun = False
        self._late: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or answer at once that there are too many."""
        self._socket = transport
        self._answers = AnswerTransport(transport, self._close, self.loop)
        super().connection_made(self._answers)
        if self._guard.admit(self):
            self._watch()
            return
        _logger.warning("http.too_many_connections", connections=len(self.connections))
        self._socket.write(whole_answer(503, "busy", "Too many requests at once; ask again soon."))
        self._linger()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._end_phase()
        self._cancel_stalled()
        self._guard.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; after an early answer it is thrown away."""
        if self._lingering:
            self._discarded += len(data)
            if self._discarded > self._limits.linger_bytes:
                self._abort()
            return
        if self._gone or self._malformed is not None:
            return
        self._begun, before = True, self._head_bytes
        super().data_received(data)
        if self._part == "head" and self._head_bytes == before:  # one long line, not whole yet
            self._head_bytes += len(data)
        if self._head_bytes > self._limits.head_bytes and self._malformed is None:
            self.send_400_response("The head of the request is too long.")
        self._watch()

    def on_message_begin(self) -> None:
        """Read the head of a request."""
        self._part, self._head_bytes = "head", 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the request's address."""
        self._count_head(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or a trailer."""
        self._count_head(name + value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the application begin."""
        super().on_headers_complete()
        self._part = "body"

    def on_message_complete(self) -> None:
        """Note that a request is whole."""
        super().on_message_complete()
        self._part = "end"

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, after the answers to the requests before it."""
        if self._malformed is None and self._part != "body" and self._answering:
            self._malformed = msg
            return
        self._malformed = msg
        if self._answering:
            self._tell_application()
        super().send_400_response(msg)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._begun = False
        super().on_response_complete()
        if self._malformed is not None and not self._answering and not self.transport.is_closing():
            self.send_400_response(self._malformed)
        self._watch()

    def shutdown(self) -> None:
        """End with the process: at once where no answer is under way."""
        if not self._answering:
            self._end_phase()
            self._answers.flush()
            self._socket.close()
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Watch a reader that does not take the answer."""
        super().pause_writing()
        self._watch()
        self._watch_reader()

    def resume_writing(self) -> None:
        """Wait for the next request, once most of the answer has been taken."""
        super().resume_writing()
        self._watch()

    def give_way(self) -> None:
        """Make room for another connection."""
        _logger.warning("http.gave_way", phase=self._phase and self._phase[0])
        self._refuse(503, "busy", "Too many requests at once; ask again soon.")

    def _watch(self) -> None:
        """Give the phase that begins its time; leave the time of the one that goes on."""
        phase = self._present_phase()
        if phase == self._phase:
            return
        self._end_phase()
        if phase is None:
            return
        seconds = {
            "head": self._limits.head_seconds,
            "body": self._limits.body_seconds,
            "linger": self._limits.linger_seconds,
        }[phase[0]]
        self._phase = phase
        self._guard.wait(self)
        self._late = self.loop.call_later(seconds, self._too_late)

    def _present_phase(self) -> _Phase | None:
        if self._lingering:
            return ("linger", None)
        if self._gone or self.transport.is_closing() or self.flow.write_paused or self.pipeline:
            return None
        if self._part == "body":
            return ("body", self.cycle)
        return None if self._answering else ("head", self.cycle)

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _count_head(self, piece: bytes) -> None:
        self._head_bytes += len(piece)
        if self._head_bytes > self._limits.head_bytes:
            raise ValueError("the head is too long")  # the parser's caller answers 400

    def _end_phase(self) -> None:
        self._guard.end_wait(self)
        self._phase = None
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        if self._lingering:
            self._abort()
            return
        _logger.warning("http.too_slow", phase=self._phase and self._phase[0])
        self._refuse(408, "too_slow", "The request did not come in time.")

    def _refuse(self, status: int, code: str, message: str) -> None:
        """End a request that is not whole, with an answer where none has begun."""
        self._end_phase()
        self._answers.flush()
        under_way = self._answering
        if self._begun and not self._lingering and not (under_way and self.cycle.response_started):
            self._socket.write(whole_answer(status, code, message))
        if under_way:
            self._tell_application()
        self._gone = True
        self._socket.close()
        if not self._socket.get_write_buffer_size():
            self._guard.leave(self)
        self._watch_reader()

    def _tell_application(self) -> None:
        self.cycle.disconnected = True  # it learns that its request has ended
        self.cycle.message_event.set()

    def _close(self) -> None:
        """Close as uvicorn wants to; read on where more of the request is to come."""
        if self._lingering or self._gone:
            return
        more = self._part == "body" or self._malformed is not None
        if more and not self._socket.is_closing():
            self._linger()
            return
        self._end_phase()
        self._socket.close()
        self._watch_reader()

    def _linger(self) -> None:
        self._lingering = True
        self._socket.write_eof()
        self._socket.resume_reading()
        self._watch()

    def _watch_reader(self) -> None:
        self._cancel_stalled()
        if self._socket.get_write_buffer_size():
            left = self._socket.get_write_buffer_size()
            seconds = self._limits.stalled_seconds
            self._stalled = self.loop.call_later(seconds, self._check_reader, left)

    def _check_reader(self, left: int) -> None:
        if 0 < left <= self._socket.get_write_buffer_size():
            _logger.warning("http.answer_not_taken", bytes=left)
            self._abort()
        else:
            self._watch_reader()

    def _cancel_stalled(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _abort(self) -> None:
        self._end_phase()
        self._gone = True
        self._socket.abort()
