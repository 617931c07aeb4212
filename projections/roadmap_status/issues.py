"""The life of one issue as a pure function of what was shown of it: its texts and its states.

Nothing here depends on arrival: order comes from GitHub's own times, then from the lifecycle, then
from the digest of the record's body.

An item that is linked only to issues is done when GitHub says that they are closed as completed; a
box decides only where there is no link. Closing an issue ticks no box, and a ticked box closes
none: both are kept, and each difference is told.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from events.facts.base import Fact
from events.facts.issue import IssueObserved
from events.facts.roadmap import RoadmapImported
from events.instant import Instant
from projections.roadmap_status.boxes import Box


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


IMPORTED: Final = "imported"
RECONSTRUCTED: Final = "before an edit"
"""What no record showed while it stood: an edit tells what it replaced."""
_NAMED: Final = re.compile(r"\[\s*roadmap\b|\broadmap\b|路线图", re.IGNORECASE)
_RANKS: Final = {"opened": 0, "edited": 2, IMPORTED: 2, "reopened": 3, "closed": 4}
_GONE: Final = ("deleted", "transferred")


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """What one record showed of an issue; `text` is the digest of its text, and so is `body_from`
    of the fact.
    """

    k: Instant
    idx: int
    record_id: str
    digest: str
    text: str | None
    fact: IssueObserved

    @property
    def order(self) -> tuple[Instant, int, str, str, int]:
        """A total order by GitHub's own time that no arrival can change."""
        rank = 5 if self.fact.kind in _GONE else _RANKS.get(self.fact.kind, 1)
        return (self.fact.at, rank, self.digest, self.record_id, self.idx)


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A text of an issue, from `at` on; `title` is the one that it had then, if shown.

    `reconstructed`: the record shows it as what an edit replaced.
    """

    at: Instant
    text: str
    title: str
    record_id: str
    reconstructed: bool = False


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an issue since `since`, by the record that shows it."""

    state: IssueState
    since: Instant
    record_id: str


def as_sighting(fact: Fact) -> IssueObserved | None:
    """Return what a fact shows of an issue: what a person imports is a sight of it too."""
    if isinstance(fact, IssueObserved):
        return fact
    if isinstance(fact, RoadmapImported):
        return IssueObserved(
            number=fact.number, at=fact.at, kind=IMPORTED, title=fact.title, body=fact.body
        )
    return None


def may_be_roadmap(issue: IssueObserved) -> bool:
    """Tell whether an issue says of itself that it is a roadmap, or a person said so."""
    titles = (title for title in (issue.title, issue.title_from) if title)
    named = any(_NAMED.search(title) for title in titles)
    labelled = any(_NAMED.search(label) for label in issue.labels)
    return named or labelled or issue.kind == IMPORTED


def versions(sightings: Iterable[Sighting], as_of: Instant) -> tuple[Version, ...]:
    """Return the texts of an issue up to a point, oldest first; equal ones that follow are one.

    A new title alone makes a version too: the title tells which roadmap it is.
    """
    texts: list[Version] = []
    title = ""
    for sight in sorted(sightings, key=lambda sighting: sighting.order):
        if sight.fact.at > as_of or sight.text is None:
            continue
        title = sight.fact.title or title
        if not texts or (texts[-1].text, texts[-1].title) != (sight.text, title):
            at, record_id = sight.fact.at, sight.record_id
            if not texts and sight.fact.created_at is not None and sight.fact.kind == "opened":
                at = sight.fact.created_at
            texts.append(
                Version(
                    at=at,
                    text=sight.text,
                    title=title,
                    record_id=record_id,
                    reconstructed=sight.fact.kind == RECONSTRUCTED,
                )
            )
    return tuple(texts)


def with_what_was_before(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Add what the first sight of an issue tells of the time before, where it is an edit.

    The text, or the title, that it replaced held from the creation on, as far as anybody can tell:
    an earlier edit may have been missed. Whatever was seen directly comes first, so a sight that
    is older than the edit leaves nothing to be added. Labels are those that the edit shows.
    """
    first = min(sightings, key=lambda sighting: sighting.order, default=None)
    if first is None or first.fact.kind != "edited":
        return list(sightings)
    fact, created = first.fact, first.fact.created_at
    tells_before = fact.body_from is not None or fact.title_from is not None
    if not tells_before or created is None or created >= fact.at:
        return list(sightings)
    before = msgspec.structs.replace(
        fact,
        at=created,
        kind=RECONSTRUCTED,
        state="open",
        state_reason=None,
        closed_at=None,
        title=fact.title_from or fact.title,
        title_from=None,
        body_from=None,
    )
    text = first.text if fact.body_from is None else fact.body_from
    return [replace(first, text=text, fact=before), *sightings]


def standing_at(sightings: Sequence[Sighting], as_of: Instant) -> Standing | None:
    """Return the state of an issue at a point, None where nothing shows it.

    A sight proves what was before it: a closed issue shows since when it is closed, and that it
    was there from its creation on.
    """
    ordered = sorted(
        (sighting for sighting in sightings if sighting.fact.state is not None),
        key=lambda sighting: sighting.order,
    )
    standing: Standing | None = None
    for sight in ordered:
        state, since = _state_of(sight)
        if since > as_of:
            if standing is None and (sight.fact.created_at or sight.fact.at) <= as_of:
                begun = sight.fact.created_at or sight.fact.at
                standing = Standing(state=IssueState.OPEN, since=begun, record_id=sight.record_id)
            break
        if standing is None or standing.state is not state:
            standing = Standing(state=state, since=since, record_id=sight.record_id)
    return standing


def gone_at(sightings: Iterable[Sighting], as_of: Instant) -> Sighting | None:
    """Return the record by which an issue was deleted or transferred; None where it is there."""
    gone = [s for s in sightings if s.fact.kind in _GONE and s.fact.at <= as_of]
    return min(gone, key=lambda sighting: sighting.order, default=None)


def _state_of(sight: Sighting) -> tuple[IssueState, Instant]:
    fact = sight.fact
    if fact.state == "closed":
        done = fact.state_reason in (None, "completed")
        state = IssueState.COMPLETED if done else IssueState.NOT_PLANNED
        return state, fact.closed_at or fact.at
    opened = fact.kind == "opened" and fact.created_at is not None
    return IssueState.OPEN, fact.created_at if opened and fact.created_at else fact.at


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
