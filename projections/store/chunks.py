"""Lists short enough for one IN (…)."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

Item = TypeVar("Item")

#: SQLite allows 32,766 parameters in a statement, PostgreSQL 65,535.
_SIZE: Final = 500


def chunks(items: Iterable[Item], size: int = _SIZE) -> Iterator[list[Item]]:
    """Cut a sequence into lists of at most `size`."""
    chunk: list[Item] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
