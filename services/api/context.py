"""What the routes are handed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from events.identity import RepositoryKey
from events.log.port import Log
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from services.config.settings import Settings
from services.runtime.telemetry import Metrics
from services.stream.health import Health


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything that answers questions; nothing in it writes."""

    settings: Settings
    read_model: ReadModel
    log: Log
    metrics: Metrics
    health: Health
    partition_of: Callable[[RepositoryKey], str] = str
    """In which partition of the log the records of a repository lie."""
    histories: HistoryCache = field(default_factory=HistoryCache)
    """The git histories that were asked about last, as answers about releases need them."""
