"""What a comparison answers. No I/O."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.quality import Doubt
from services.answers.questions.period import Period
from services.audit.restatements.figures import Name
from services.audit.restatements.told import ToldBefore
from services.audit.restatements.tracing import Change

CauseKind: TypeAlias = Literal[
    "late record", "later event", "rule", "curation", "retried dead letter", "unexplained"
]
"""`late record`: recorded after the earlier known time, of something before the earlier cut.
`later event`: something between the two cuts, where the earlier one cut the period short.
`rule`: a rule set, or the program (its answer version). `curation`: a person's decision.
`retried dead letter`: a record that could not be read then."""

#: What is printed first: what readers are least prepared for.
RANK: Final[Mapping[CauseKind, int]] = {
    "unexplained": 0,
    "rule": 1,
    "retried dead letter": 2,
    "curation": 3,
    "late record": 4,
    "later event": 5,
}


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why a figure moved; the record that decided it and when it was recorded, where one did."""

    kind: CauseKind
    says: str = ""
    record: str | None = None
    source: str | None = None
    recorded_at: Instant | None = None


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """One request with one cause, and the figures that it came into (+1) or left (-1)."""

    number: int
    cause: Cause
    moves: tuple[tuple[Name, int], ...]


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two answers. `known_at` is None for an edition that does not tell it."""

    known_at: Instant | None
    end: Instant | None
    rules: str | None
    """Digest of its rule set."""
    answers: str | None
    """Its answer version."""
    edition: str | None = None


class Restatement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that differs between two answers to one question.

    `requests` explain the moves of `changes`; `unlisted` is the cause of what is not made up by
    listed requests. `doubts_gone` and `doubts_new` are coverage; `coverage_records` decided it.
    `told` are the requests that an edition from before Shipledger told, with what became of them.
    """

    repo: RepositoryKey
    full_name: str
    period: Period
    before: Side
    after: Side
    changes: tuple[Change, ...]
    requests: tuple[Explained, ...]
    unlisted: tuple[Cause, ...] = ()
    doubts_gone: tuple[Doubt, ...] = ()
    doubts_new: tuple[Doubt, ...] = ()
    coverage_records: tuple[Cause, ...] = ()
    told: tuple[ToldBefore, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing differs at all."""
        figures = self.changes or self.unlisted
        told = any(request.now != "told" for request in self.told)
        return not (figures or self.doubts_gone or self.doubts_new or told)
