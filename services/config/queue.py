"""How much the queue in front of Kafka takes, and for how long it keeps what was forwarded."""

from dataclasses import dataclass
from typing import Final


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
