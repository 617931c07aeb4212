"""Only one process mirrors into a data folder: a lock that ends with its process."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from services.runtime.data_folder import FolderHeld

Role: TypeAlias = Literal["up", "mirror"]

#: Seconds between looks whether another process has ended.
POLL_SECONDS: Final = 2.0


@contextmanager
def held(folder: Path, role: Role = "mirror") -> Iterator[None]:
    """Hold the folder of the mirrors; raise FolderHeld, which names it, where another does."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.pread(descriptor, 100, 0).decode("ascii", "replace").strip()
            pid, _, holder = said.partition(" ")
            number = int(pid) if pid.isdecimal() else 0
            raise FolderHeld(folder, number, holder or "mirror") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {role}\n".encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
