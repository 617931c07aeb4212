"""The data folder: its files, and who may bring its read model forward.

One process at a time holds the folder as projector: `shipledger up`, or for a moment a command that
catches up before it answers. The hold is a lock of the operating system, so it ends with its
process whatever happens; the file's text only tells others who it is. Appending to the log needs no
hold: the log has its own single-writer rule.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from events.errors import ConfigurationError

Role: TypeAlias = Literal["up", "api", "command", "mirror"]

#: Seconds between looks whether another command is done.
_POLL: Final = 0.05


class FolderHeld(ConfigurationError):
    """Another process holds the data folder; `pid` and `role` name it (0 where unreadable)."""

    def __init__(self, folder: Path, pid: int, role: str) -> None:
        super().__init__(
            f"{folder} is held by `shipledger {role}`, process {pid}; stop that one first, or "
            "choose another folder with --data"
        )
        self.pid = pid
        self.role = role


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder, which need not exist yet, and the files in it."""

    path: Path

    @property
    def log(self) -> Path:
        """The log: the one file that must never be lost."""
        return self.path / "log.sqlite"

    @property
    def read_model(self) -> Path:
        """The read model, which can be made again from the log."""
        return self.path / "read_model.sqlite"

    @property
    def lock(self) -> Path:
        """The file by which the folder is held."""
        return self.path / "projector.lock"

    def make(self) -> None:
        """Make the folder; raise ConfigurationError where that is not possible."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(
                f"cannot make the data folder {self.path}: {error.strerror}; "
                "set SHIPLEDGER_DATA or --data to a folder that can be written"
            ) from error

    @property
    def mirror(self) -> Path:
        """The folder of the clones, which can be made again from their remotes."""
        return self.path / "mirror"

    @contextmanager
    def held(self, role: Role, *, patience: float = 0.0) -> Iterator[None]:
        """Hold the folder; raise FolderHeld where another process does.

        A holder that is a mere command is waited for, up to `patience` seconds.
        """
        self.make()
        with hold(self.path, self.lock, role, patience=patience):
            yield


@contextmanager
def hold(
    folder: Path, lock: Path, role: Role, *, patience: float = 0.0, unread: str = "command"
) -> Iterator[None]:
    """Hold a folder by a lock file in it; raise FolderHeld, which names it, where another does.

    `unread` is the role of a holder that has only just begun and has not said its own yet.
    """
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + patience
    try:
        while not _taken(descriptor):
            pid, holder = _holder(descriptor, unread)
            if holder == "up" or time.monotonic() >= deadline:
                raise FolderHeld(folder, pid, holder)
            time.sleep(_POLL)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {role}\n".encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(descriptor: int, unread: str) -> tuple[int, str]:
    """Read who holds the folder."""
    pid, _, role = os.pread(descriptor, 100, 0).decode("ascii", "replace").strip().partition(" ")
    return (int(pid), role or unread) if pid.isdecimal() else (0, unread)
