"""The answer version: a digest of the code that decides what an answer says.

Translators, folds and report code are part of an answer's identity: the same question at the same
(T, K) may be answered otherwise only by another answer version.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import events
import projections
from services import answers, documents

_PACKAGES: Final = (events, projections, answers, documents)


@cache
def answer_version() -> str:
    """Return the digest of the source files that answers are made by (16 hex digits)."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in (".py", ".sql", ".html"):
                name = f"{package.__name__}/{path.relative_to(folder).as_posix()}"
                digest.update(f"{name}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
