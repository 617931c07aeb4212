"""What a text, a box or a mark can assert of an item or of a link."""

from enum import StrEnum


class State(StrEnum):
    """One asserted state. Asserted, not true: facts say what is true."""

    NONE = "none"
    """Nothing is asserted; a mark or word that is not known asserts nothing."""
    DELIVERED = "delivered"
    FOUNDATION_DELIVERED = "foundation delivered"
    PARTLY_DELIVERED = "partly delivered"
    IN_PROGRESS = "in progress"
    OPEN = "open"
    DRAFT = "draft"
    PLANNED = "planned"
    """Also what was put off: it is still meant to come."""
    NOT_DONE = "not done"
    BLOCKED = "blocked"
    DROPPED = "dropped"
    CLOSED = "closed"
    """Closed, and not said whether done."""
    CLOSED_UNMERGED = "closed, unmerged"
    REVERTED = "reverted"
    RESTORED = "restored"

    @property
    def done(self) -> bool:
        """Tell whether the text says that all of it is there."""
        return self in (State.DELIVERED, State.RESTORED)

    @property
    def unfinished(self) -> bool:
        """Tell whether the text says that something is still to come."""
        return self in _UNFINISHED


_UNFINISHED = frozenset(
    (
        State.PARTLY_DELIVERED,
        State.FOUNDATION_DELIVERED,
        State.IN_PROGRESS,
        State.OPEN,
        State.DRAFT,
        State.PLANNED,
        State.NOT_DONE,
        State.BLOCKED,
    )
)
