"""What is stored, and what is remarked on."""

from dataclasses import dataclass

from events.identity import RepositoryKey
from events.sources.github_webhook import UNUSED


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
