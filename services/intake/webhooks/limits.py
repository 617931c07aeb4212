"""What ingestion takes: bounds, so that no sender can make it grow without end, and choices."""

from dataclasses import dataclass
from typing import Final

from events.identity import RepositoryKey
from events.sources.github_webhook import UNUSED

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
    stalled_seconds: float = 1.0
    """Past that bound a body is given up of which nothing has come for so long."""
    queue_records: int = 1000
    batch_records: int = 256
    batch_bytes: int = 32 * MIB
    """Bounds of one append; a larger record is a batch of its own."""
    answer_seconds: float = 8.0
    """Every delivery is answered within this time, counted from its first byte."""
    retry_after_seconds: int = 30
    gap_seconds: float = 60.0
    """At most one gap record in this time, however many bodies are too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Choices of the operator.

    `tracked` holds repository keys (`github.com/1001`) or names (`acme/widget`); None tracks
    everything. A delivery of another repository is stored all the same, and counted: it is how a
    rename shows.
    """

    store_unused: bool = False
    """Store also the kinds that nothing uses (check_*, workflow_*, status, deployment*)."""
    tracked: frozenset[str] | None = None

    def stores(self, event: str) -> bool:
        """Tell whether deliveries of an event are stored."""
        return self.store_unused or event not in UNUSED

    def is_tracked(self, key: RepositoryKey, full_name: str | None) -> bool:
        """Tell whether a repository is among the tracked ones, by its key or its present name."""
        if self.tracked is None:
            return True
        wanted = {entry.lower() for entry in self.tracked}
        return key in wanted or (full_name is not None and full_name.lower() in wanted)
