"""What the facts say of one linked number, at any moment up to T. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from events.facts.issue import MovedTo
from events.instant import INF, Instant
from projections.pull_requests.spans import StateSpan
from projections.roadmap_status.issues import IssueState, Sighting, gone_at, standing_at
from projections.roadmap_status.status.presence import Hold


class Outcome(StrEnum):
    """How far a linked request or issue has come."""

    MERGED = "merged"
    UNTRACED = "merged, no trace in git"
    """GitHub says so, and no commit that is recorded shows it on any branch."""
    PARTLY = "partly merged"
    REVERTED = "reverted"
    OPEN = "open"
    DRAFT = "draft"
    CLOSED = "closed, unmerged"
    UNKNOWN = "unknown"
    ISSUE_OPEN = "issue open"
    ISSUE_DONE = "issue completed"
    ISSUE_DROPPED = "issue not planned"
    ABSENT = "not there yet"
    UNRESOLVED = "unresolved"
    """An issue that was deleted, or transferred to where nothing is recorded."""

    @property
    def is_proven(self) -> bool:
        """Tell whether it says how much of a request branches hold, or that none does."""
        return self not in (Outcome.UNKNOWN, Outcome.UNTRACED)

    @property
    def is_known(self) -> bool:
        """Tell whether it says anything of what the link leads to."""
        return self not in (Outcome.UNKNOWN, Outcome.UNRESOLVED)

    @property
    def of_issue(self) -> bool:
        """Tell whether the number is an issue."""
        return self in _ISSUES


_ISSUES: Final = frozenset((Outcome.ISSUE_OPEN, Outcome.ISSUE_DONE, Outcome.ISSUE_DROPPED))
_OF_ISSUE: Final = {
    IssueState.OPEN: Outcome.ISSUE_OPEN,
    IssueState.COMPLETED: Outcome.ISSUE_DONE,
    IssueState.NOT_PLANNED: Outcome.ISSUE_DROPPED,
}


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """A branch held so much of a request from `at` on. `commit` is empty where only GitHub says
    so, and no history was read.
    """

    branch: str
    at: Instant
    hold: Hold
    commit: str = ""
    record_id: str = ""


class LinkState(msgspec.Struct, frozen=True, kw_only=True):
    """A number at one moment. `branches` are those that hold all of it."""

    outcome: Outcome
    branches: tuple[str, ...] = ()
    since: Instant | None = None
    record_id: str = ""
    landings: tuple[Landing, ...] = ()
    """The first on each branch that holds it, in the order of the branches."""
    moved_to: MovedTo | None = None
    """Where the issue went; the outcome is that of the last place of which anything is known."""


UNKNOWN: Final = LinkState(outcome=Outcome.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFacts:
    """All that is known at (T, K) of one number."""

    number: int
    title: str = ""
    states: tuple[StateSpan, ...] = ()
    base: str = ""
    """The branch into which it was merged, as GitHub says."""
    draft: bool = False
    landings: tuple[Landing, ...] = ()
    """Every change of what a branch holds, in the order of each branch's line."""
    doubted: bool = False
    """A revert, restore or pick of it waits for a person: whether it is there is not known."""
    traced: bool = True
    """False where history is recorded, and no commit in it shows the request."""
    asks: bool = False
    """It is an issue that GitHub labels as a question."""
    issue: tuple[Sighting, ...] = field(default=(), repr=False)
    there: "NumberFacts | None" = field(default=None, repr=False)
    """Of a transferred issue: what is known of it where it went."""
    _known: dict[int, LinkState] = field(default_factory=dict, repr=False, compare=False)
    """The state between each two changes, once it was asked for."""

    @property
    def is_issue(self) -> bool:
        """Tell whether the number is an issue and no request."""
        return bool(self.issue) and not self.states and not self.landings

    @property
    def is_request(self) -> bool:
        """Tell whether facts show a pull request."""
        return bool(self.states or self.landings)

    @property
    def moved_to(self) -> MovedTo | None:
        """Where the issue was transferred to, if it ever was."""
        targets = (sight.fact.moved_to for sight in self.issue if sight.fact.moved_to is not None)
        return next(targets, None)

    def at(self, moment: Instant) -> LinkState:
        """Return its state after all that happened up to a moment."""
        if self.is_issue:
            return self._state_at(moment)
        place = sum(span.vf <= moment for span in self.states) << 16
        place += sum(landing.at <= moment for landing in self.landings)
        if place not in self._known:
            self._known[place] = self._state_at(moment)
        return self._known[place]

    def _state_at(self, moment: Instant) -> LinkState:
        if self.is_issue:
            return self._as_issue(moment)
        span = _span_at(self.states, moment)
        landed = _landed_by(self.landings, moment)
        if landed or (span is not None and span.delivered):
            return self._landed(span, landed)
        if span is None:
            # what is known only from later on was not there yet
            born = self.states and self.states[0].vf > moment
            return LinkState(outcome=Outcome.ABSENT) if born else UNKNOWN
        outcome = Outcome.OPEN
        if span.state == "open" and self.draft:
            outcome = Outcome.DRAFT
        elif span.state != "open":
            outcome = Outcome.CLOSED if span.state == "closed" else Outcome.UNKNOWN
        return LinkState(outcome=outcome, since=span.vf, record_id=span.record_id)

    def _as_issue(self, moment: Instant) -> LinkState:
        gone = gone_at(self.issue, moment)
        if gone is not None:
            return self._elsewhere(gone, moment)
        standing = standing_at(self.issue, moment)
        if standing is None:
            return LinkState(outcome=Outcome.ABSENT)
        outcome = _OF_ISSUE[standing.state]
        return LinkState(outcome=outcome, since=standing.since, record_id=standing.record_id)

    def _elsewhere(self, gone: Sighting, moment: Instant) -> LinkState:
        """Follow a transfer; what cannot be followed is unresolved, and so is what was deleted."""
        target = gone.fact.moved_to
        if target is not None and self.there is not None:
            state = self.there.at(moment)
            if state.outcome is not Outcome.ABSENT:
                return replace(state, moved_to=state.moved_to or target)
        return LinkState(
            outcome=Outcome.UNRESOLVED,
            since=gone.fact.at,
            record_id=gone.record_id,
            moved_to=target,
        )

    def _landed(self, span: StateSpan | None, landed: Sequence[Landing]) -> LinkState:
        whole = [landing for landing in landed if landing.hold is Hold.WHOLE]
        partly = [landing for landing in landed if landing.hold is Hold.PARTLY]
        record_id = span.record_id if span is not None else ""
        if whole or not landed:
            if not landed and span is not None:
                at = span.vf if span.vf < INF else None
                return self._by_payload(at, record_id)
            return _landed_state(Outcome.MERGED, whole, record_id)
        if self.doubted:
            return replace(_landed_state(Outcome.REVERTED, landed), outcome=Outcome.UNKNOWN)
        return _landed_state(*((Outcome.PARTLY, partly) if partly else (Outcome.REVERTED, landed)))

    def _by_payload(self, at: Instant | None, record_id: str) -> LinkState:
        """Believe GitHub where no history shows the landing: it says into which branch it went.

        That the change is there it does not know: history that was read shows no trace of it.
        """
        if not self.traced:
            return LinkState(outcome=Outcome.UNTRACED, since=at, record_id=record_id)
        branches = (self.base,) if self.base else ()
        landings = tuple(
            Landing(branch=branch, at=at or 0, hold=Hold.WHOLE, record_id=record_id)
            for branch in branches
        )
        return LinkState(
            outcome=Outcome.MERGED,
            branches=branches,
            since=at,
            record_id=record_id,
            landings=landings,
        )


def _landed_state(outcome: Outcome, landings: Sequence[Landing], record_id: str = "") -> LinkState:
    first = min(landings, key=lambda landing: landing.at)
    merged = outcome is Outcome.MERGED
    return LinkState(
        outcome=outcome,
        branches=tuple(landing.branch for landing in landings) if merged else (),
        since=first.at if merged else max(landing.at for landing in landings),
        record_id=first.record_id or record_id,
        landings=tuple(landings),
    )


def _span_at(spans: Sequence[StateSpan], moment: Instant) -> StateSpan | None:
    holding = [span for span in spans if span.vf <= moment < span.vt]
    undated = [span for span in spans if span.vf >= INF]
    spans_at = holding or undated
    return spans_at[-1] if spans_at else None


def _landed_by(landings: Sequence[Landing], moment: Instant) -> list[Landing]:
    """Return what each branch holds at a moment, with when it began to."""
    now: dict[str, Landing] = {}
    for landing in landings:
        if landing.at <= moment:
            now[landing.branch] = landing
    return list(now.values())
