"""A plain box beside the state of the issue that it stands for.

The rule: an item that is linked only to issues is done when GitHub says that they are closed as
completed; a box decides only where there is no link. Closing an issue ticks no box, and a ticked
box closes none: both are kept, and each difference is told.
"""

from enum import StrEnum

from projections.roadmap_status.reading import Box


class IssueState(StrEnum):
    """What GitHub says of an issue."""

    OPEN = "open"
    COMPLETED = "completed"
    NOT_PLANNED = "not planned"


class BoxAgainstIssue(StrEnum):
    """Whether a box and its issue agree."""

    AGREES = "agrees"
    STALE = "box is stale: the issue is closed"
    CONFLICT = "box is ticked, the issue is not completed"
    NOTHING = "no box, or no issue"


def is_done(box: Box | None, issue: IssueState | None) -> bool:
    """Tell whether an item is done: by its issue if it has one, else by its box."""
    if issue is not None:
        return issue is IssueState.COMPLETED
    return box is Box.TICKED


def compare_box(box: Box | None, issue: IssueState | None) -> BoxAgainstIssue:
    """Compare a box with the state of its issue."""
    if issue is None or box not in (Box.OPEN, Box.TICKED):
        return BoxAgainstIssue.NOTHING
    if box is Box.TICKED:
        completed = issue is IssueState.COMPLETED
        return BoxAgainstIssue.AGREES if completed else BoxAgainstIssue.CONFLICT
    return BoxAgainstIssue.AGREES if issue is IssueState.OPEN else BoxAgainstIssue.STALE
