"""The bounds within which ingestion works, so that no sender can make it grow without end."""

from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All bounds of ingestion; the defaults suit github.com.

    GitHub sends at most 25 MB of JSON and waits 10 s for an answer (30 s on GitHub Enterprise
    Server). A form writes JSON with percent signs, which makes it up to three times as long.
    """

    json_bytes: int = 27 * MIB
    form_bytes: int = 80 * MIB
    held_bytes: int = 256 * MIB
    """Bytes of all bodies in work at once; above, new deliveries are answered 503."""
    queue_records: int = 1000
    batch_records: int = 256
    batch_bytes: int = 32 * MIB
    """Bounds of one append; a larger record is a batch of its own."""
    answer_seconds: float = 8.0
    """Every delivery is answered within this time, counted from its first byte."""
    retry_after_seconds: int = 30
    gap_seconds: float = 60.0
    """At most one gap record in this time, however many bodies are too large."""
