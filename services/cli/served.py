"""What a command stands in while a running process carries it out for another one.

There standard output, the terminal, the folder of relative paths and the stores are not the
process's own. Each thread has its own. Imports nothing heavy.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from pathlib import Path

    from services.documents.terminal import Terminal
    from services.stream.stores import Stores


class NotHere(Exception):
    """A command has to be carried out by the process that was called: it writes or reads files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """`folder` is that of the caller; `data` the data folder where no argument names one."""

    out: TextIO
    err: TextIO
    terminal: "Terminal"
    folder: str
    data: str
    stores: "Stores"

    def stores_of(self, data: "Path | None") -> "Stores":
        """Return the stores of a data folder; raise NotHere where it is not ours."""
        named = os.path.join(self.folder, self.data if data is None else data)
        if not os.path.samefile(named, self.stores.folder.path):
            raise NotHere(f"{named} is another data folder")
        return self.stores


_served: Final[ContextVar[Served | None]] = ContextVar("served", default=None)


def served() -> Served | None:
    """Return what this command is carried out in, None where the process is its own."""
    return _served.get()


@contextmanager
def serving(place: Served) -> Iterator[None]:
    """Carry a command out for another process, in this thread."""
    token = _served.set(place)
    try:
        yield
    finally:
        _served.reset(token)


def only_by_itself(why: str) -> None:
    """Raise NotHere in a process that does it for another one."""
    if served() is not None:
        raise NotHere(why)


def stream(*, err: bool = False) -> TextIO | None:
    """Return what to write to; None for the process's own standard output or error."""
    place = _served.get()
    return None if place is None else (place.err if err else place.out)
