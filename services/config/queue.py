"""How much the queue in front of Kafka takes, and for how long it keeps what was forwarded."""

from dataclasses import dataclass
from typing import Final

import msgspec


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLimits:
    """Beyond any of these nothing more is taken."""

    records: int = 1_000_000
    age_seconds: float = 24 * 3600.0
    free_bytes: int = 1024**3
    """What has to stay free on the queue's disk."""


#: So many pruned records are remembered at most, whatever their age: some 500 MB.
MOST_REMEMBERED: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRetention:
    """For how long after they came forwarded records are held, and known by id and digest."""

    held_seconds: float
    remembered_seconds: float
    most_remembered: int = MOST_REMEMBERED


#: For so many seconds GitHub can be asked to send a delivery again:
#: https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
REDELIVERIES: Final = 3 * 86_400.0


class QueueSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The queue in front of Kafka: beyond the first three it takes nothing more, and ingestion
    answers 503; what was forwarded leaves it after a while, and is remembered for longer.
    """

    records: int = 1_000_000
    age_seconds: float = 86_400.0
    free_bytes: int = 1_073_741_824
    retention_seconds: float = 7 * 86_400.0
    memory_seconds: float = 30 * 86_400.0

    def limits(self) -> QueueLimits:
        """Return the limits."""
        return QueueLimits(
            records=self.records, age_seconds=self.age_seconds, free_bytes=self.free_bytes
        )

    def retention(self) -> QueueRetention:
        """Return for how long forwarded records are held and remembered."""
        return QueueRetention(
            held_seconds=self.retention_seconds, remembered_seconds=self.memory_seconds
        )

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, for what cannot hold."""
        if self.retention_seconds < 0:
            raise ValueError(f"retention_seconds: {self.retention_seconds:g} is less than 0")
        if self.memory_seconds < max(REDELIVERIES, self.retention_seconds):
            raise ValueError(
                f"memory_seconds: {self.memory_seconds:g} is too short; GitHub can send a delivery "
                f"again for {REDELIVERIES:g} s, and what is held is remembered anyway, so write "
                f"{max(REDELIVERIES, self.retention_seconds):g} or more"
            )
