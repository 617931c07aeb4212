"""What mentions turn out to mean."""

import msgspec

from projections.release_inclusion.messages.mention import Mention


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """One mention of commit `sha`, with what it turned out to mean."""

    sha: str
    mention: Mention
    targets: frozenset[str]
    """Commits; empty where nothing among the ancestors answers to the mention."""
    numbers: frozenset[int]
    """The requests concerned, also where no commit was found."""


class Resolution(msgspec.Struct, frozen=True):
    """All reverts, and all doubts."""

    reverts: tuple[Resolved, ...]
    """Certain reverts, oldest first."""
    doubts: tuple[Resolved, ...]
    """Reverts, restores and picks that a person has to confirm or reject."""

    def targets(self) -> dict[str, frozenset[str]]:
        """Return by reverting commit all that it targets."""
        targets: dict[str, frozenset[str]] = {}
        for revert in self.reverts:
            targets[revert.sha] = targets.get(revert.sha, frozenset()) | revert.targets
        return targets
