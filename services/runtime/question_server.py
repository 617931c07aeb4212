"""Answers commands of the same user on a socket in the data folder, beside whatever else is served.

One process of a folder does so; it holds a lock for that, so a socket that was left behind is
known as one. Whatever cannot be answered here (another program, other settings, too many at once, a
fault) is refused before anything was said, and the command does it by itself.
"""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, TypeAlias

import msgspec
import structlog

from events.errors import ConfigurationError
from services.runtime.data_folder import DataFolder, Role, hold
from services.runtime.program import program_stamp
from services.runtime.question_socket import NAME, address_in, is_same_user, receive, send

_LOCK: Final = "questions.lock"
#: So many at once; a further command has a core of its own to answer by itself.
_AT_ONCE: Final = 4
_LONGEST_QUESTION: Final = 1 << 20
#: Seconds in which a command has to say its question, and to take the answer.
_TALK: Final = 30.0
#: Seconds that answers under way get at the end.
_GRACE: Final = 5.0

_logger = structlog.get_logger(__name__)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a command was called with, and where.

    `program` and `source` are what asker and answerer must have in common. `data` is the folder
    that is meant where no argument names one. `width` and `colours` are of standard output where
    `out` says that it is a terminal; `err` says it of standard error.
    """

    program: str
    source: str
    arguments: tuple[str, ...]
    folder: str
    data: str
    out: bool = False
    err: bool = False
    width: int = 80
    colours: bool = False


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is written, in order (1: standard output, 2: standard error), and the exit code."""

    code: int
    said: tuple[tuple[int, str], ...]


Answerer: TypeAlias = Callable[[Question], Answer]
"""Raises whatever it likes where the command has to do it by itself."""


@contextmanager
def questions_answered(
    folder: DataFolder, role: Role, source: str, answerer: Answerer
) -> Iterator[None]:
    """Answer while the block runs; where that is not possible, log why and go on without."""
    with ExitStack() as stack:
        try:
            listening = stack.enter_context(_listening(folder, role))
        except (OSError, ConfigurationError) as reason:
            _logger.info("questions.not_answered", reason=str(reason))
            yield
            return
        server = _Server(listening, source, answerer)
        server.start()
        try:
            yield
        finally:
            server.stop()


@contextmanager
def _listening(folder: DataFolder, role: Role) -> Iterator[socket.socket]:
    """Listen on the folder's socket; raise OSError, or FolderHeld where another process does."""
    folder.make()
    with (
        hold(folder.path, folder.path / _LOCK, role),
        address_in(str(folder.path)) as address,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening,
    ):
        path = folder.path / NAME
        path.unlink(missing_ok=True)  # of a process that was killed
        listening.bind(address)
        try:
            os.chmod(path, 0o600)  # nobody can connect before `listen`
            listening.listen(_AT_ONCE * 4)
            yield listening
        finally:
            path.unlink(missing_ok=True)


class _Server:
    def __init__(self, listening: socket.socket, source: str, answerer: Answerer) -> None:
        self._listening = listening
        self._common = (program_stamp(), source)
        self._answerer = answerer
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._open: dict[socket.socket, threading.Thread] = {}
        self._accepting = threading.Thread(target=self._accept, name="questions", daemon=True)

    def start(self) -> None:
        self._accepting.start()

    def stop(self) -> None:
        """Take no more, let those under way end, and break off those that do not."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join(_GRACE)
        with self._lock:
            left = dict(self._open)
        for thread in left.values():
            thread.join(_GRACE / len(left))
        for connection in left:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # `stop`
                return
            name = f"question of {connection.fileno()}"
            thread = threading.Thread(
                target=self._speak, args=(connection,), name=name, daemon=True
            )
            with self._lock:
                self._open[connection] = thread
            thread.start()

    def _speak(self, connection: socket.socket) -> None:
        connection.settimeout(_TALK)
        try:
            with connection:
                self._hear(connection)
        except Exception as fault:  # whatever it was: the command has not printed anything
            _logger.info("questions.broken_off", reason=repr(fault))
        finally:
            with self._lock:
                del self._open[connection]

    def _hear(self, connection: socket.socket) -> None:
        if not is_same_user(connection):
            return
        question = msgspec.json.decode(receive(connection, _LONGEST_QUESTION), type=Question)
        if (question.program, question.source) != self._common:
            _tell(connection, {"refused": "another program, or other settings"})
        elif not self._free.acquire(blocking=False):
            _tell(connection, {"refused": "too many at once"})
        else:
            try:
                _tell(connection, {"taken": True})
                answer = self._answerer(question)
            finally:
                self._free.release()
            _tell(connection, answer)
            _logger.debug("questions.answered", command=question.arguments[:1], code=answer.code)


def _tell(connection: socket.socket, message: Any) -> None:
    send(connection, msgspec.json.encode(message))
