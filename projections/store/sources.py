"""A name for rules: the source that they are written in, and the libraries that they rest on.

What a rule returned is kept under it, so that a mended rule never answers with what another made.
"""

import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path


def digest_of_sources(folders: Iterable[Path], *, libraries: Iterable[str] = ()) -> str:
    """Return the digest of all Python files below some folders (16 hex digits)."""
    digest = hashlib.sha256()
    for library in libraries:
        digest.update(f"{library} {version(library)}\0".encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
