"""Files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from events.errors import LogUnavailable


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Give a path to write to; it takes the target's name, durably, only if all goes well.

    Raise LogUnavailable where the disk does not take it.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise LogUnavailable(f"cannot write {target}: {error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, which fsync of the file alone does not."""
    if os.name == "nt":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
