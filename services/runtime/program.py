"""Which program this is, told cheaply: two processes with one stamp run the same files.

A version number would not do: a program may be replaced while one of its processes goes on. It
imports nothing but the standard library, as a command looks at it before all else.
"""

import os
import sys
from collections.abc import Iterator
from typing import Final

_PACKAGES: Final = ("events", "projections", "services")
_KINDS: Final = (".py", ".sql", ".html", ".css")


def program_stamp() -> str:
    """Return what changes whenever a file of the program, or the Python that runs it, does."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    files = size = changed = 0
    for package in _PACKAGES:
        for state in _files(os.path.join(root, package)):
            files += 1
            size += state.st_size
            changed += state.st_mtime_ns
    return f"{root} {sys.prefix} {sys.version} {files} {size} {changed}"


def _files(folder: str) -> Iterator[os.stat_result]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_KINDS):
                yield entry.stat()
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _files(entry.path)
