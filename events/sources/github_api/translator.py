"""One answer of the API -> facts, by the type of its record."""

from events.facts.base import Fact
from events.record import Record
from events.sources.github_api import files


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Return the facts of an answer, or why it has none; raise InvalidEvent for a wrong shape."""
    if record.type == files.FILES_TYPE:
        return files.translate(record)
    return f"no reader for {record.type}"
