"""A data folder with the records of a small case, for commands to work on."""

from collections.abc import Iterable
from pathlib import Path

from events.record import Record
from services.config.settings import load
from services.stream.stores import open_stores


def fill(data: Path, arrivals: Iterable[tuple[str, Record]]) -> None:
    """Append records to the log of a folder, in their order; they are recorded now."""
    with open_stores(load(data=data)) as stores:
        stores.log.append([record for _, record in arrivals])
