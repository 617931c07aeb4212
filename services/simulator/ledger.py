"""The books a world keeps while it happens; `World` closes them into the truth."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

from services.simulator.objects import Changes
from services.simulator.truth import (
    Carry,
    Happening,
    IssueTruth,
    Method,
    PullTruth,
    Relation,
    RoadmapVersion,
    Step,
    TagTruth,
)


@dataclass(kw_only=True)
class PullBook:
    """What is written down of one pull request, step by step."""

    number: int
    author: str
    bot: bool
    head: str | None
    transitions: list[Step[Happening]] = field(default_factory=list)
    bases: list[Step[str]] = field(default_factory=list)
    titles: list[Step[str]] = field(default_factory=list)
    labels: list[Step[tuple[str, ...]]] = field(default_factory=list)
    drafts: list[Step[bool]] = field(default_factory=list)
    commits_at: list[Step[str]] = field(default_factory=list)
    changes: Changes = field(default_factory=dict)
    method: Method | None = None
    landing: tuple[str, ...] = ()
    relations: list[Relation] = field(default_factory=list)

    def truth(self) -> PullTruth:
        """Close the book."""
        return PullTruth(
            number=self.number,
            author=self.author,
            bot=self.bot,
            head=self.head,
            transitions=tuple(self.transitions),
            bases=tuple(self.bases),
            titles=tuple(self.titles),
            labels=tuple(self.labels),
            drafts=tuple(self.drafts),
            commits_at=tuple(self.commits_at),
            paths=tuple(sorted(self.changes)),
            method=self.method,
            landing=self.landing,
            relations=tuple(self.relations),
        )


@dataclass
class IssueBook:
    """What is written down of one issue."""

    number: int
    title: str
    opened: Step[str]
    changes: list[Step[str]] = field(default_factory=list)

    def truth(self) -> IssueTruth:
        """Close the book."""
        return IssueTruth(
            number=self.number,
            title=self.title,
            opened=self.opened,
            changes=tuple(self.changes),
        )


@dataclass
class Ledger:
    """All books of a world."""

    pulls: list[PullBook] = field(default_factory=list)
    issues: list[IssueBook] = field(default_factory=list)
    tags: list[TagTruth] = field(default_factory=list)
    roadmaps: list[RoadmapVersion] = field(default_factory=list)
    carries: list[Carry] = field(default_factory=list)
    #: Commit to those it names as reverted; all are its ancestors.
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Commit to its picks and restores.
    kin: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def carry(
        self,
        sha: str,
        number: int,
        units: tuple[int, ...] = (0,),
        role: Literal["landing", "pick", "stack", "restore"] = "landing",
    ) -> None:
        """Write down that a commit carries units of a request."""
        self.carries.append(Carry(sha=sha, number=number, units=units, role=role))

    def descend(self, sha: str, originals: tuple[str, ...]) -> None:
        """Write down that a commit is a pick or a restore of others."""
        for original in originals:
            self.kin[original].append(sha)
