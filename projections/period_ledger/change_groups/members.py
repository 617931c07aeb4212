"""The words of change groups: requests as they are compared, and what ties two of them."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal, TypeAlias

import msgspec

from events.identity import derived_id
from events.instant import Instant

State: TypeAlias = Literal["open", "closed", "closed_unknown", "merged"]


class Kind(StrEnum):
    """What one request does to the change of another."""

    PICK = "pick"
    """It brings the change to another branch by cherry-pick or backport."""
    PORT = "port"
    """It lands the same change on another branch under a number of its own."""
    RESUBMISSION = "resubmission"
    """It brings the change back after a revert."""
    REVERT = "revert"
    """It takes the change away. It never joins a group; it decides how one stands."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One request at one (T, K), with all that is compared; None or empty: not known.

    `base` is the branch's name, `role` its base group (`main`, `dev`, `release` …). `commits` are
    the SHAs by which texts may mean it. `paths` is None where no list of files is recorded.
    """

    number: int
    title: str = ""
    text: str = ""
    digest: str = ""
    """Of the text: what was read from it is pinned to this version."""
    head: str | None = None
    base: str | None = None
    role: str = "other"
    author: str | None = None
    state: State = "open"
    opened_at: Instant = 0
    ended_at: Instant | None = None
    """When it was merged or closed."""
    paths: tuple[str, ...] | None = None
    commits: tuple[str, ...] = ()
    patches: frozenset[str] = frozenset()
    """git's patch ids of its whole change: as it landed, and as its head shows it."""

    @property
    def mark(self) -> str:
        """The number with base and state, as it is printed: `[main #6870, open]`."""
        state = "outcome unknown" if self.state == "closed_unknown" else self.state
        return f"[{self.base or 'unknown base'} #{self.number}, {state}]"


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What the texts of one request say about another: `number` does `kind` to `target`.

    `branch` is the branch to which the words say that the target goes, where they do. `says` is
    what was read, exactly as it stands in `place` (`title`, `text` or `branch`).
    """

    number: int
    target: int
    kind: Kind
    method: str
    place: str
    says: str
    certain: bool
    branch: str | None = None


class Pair(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """Two requests that may land one change; `number` came of `origin`, as far as one can tell.

    `confidence` is between 0 and 1. A pair that is not certain waits for a person under its `id`.
    """

    number: int
    origin: int
    kind: Kind
    method: str
    confidence: float
    certain: bool
    says: str = ""
    doubt: str = ""
    """Why it is not certain."""

    @property
    def id(self) -> str:
        """The name by which a person answers for the two requests, whatever ties them."""
        return pair_id(self.number, self.origin)

    @property
    def carries(self) -> bool:
        """Whether `number` says that it carries `origin`, and not merely looks like it."""
        return self.method not in _ALIKE


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A person said whether two requests land one change."""

    number: int
    origin: int
    holds: bool


#: How far each way of tying two requests is believed; a doubt halves it.
CONFIDENCE: Final = {
    "equal patch": 1.0,
    "decided by a person": 1.0,
    "commit": 0.98,
    "title": 0.97,
    "text": 0.95,
    "branch": 0.9,
    "equal title": 0.9,
    "similar title": 0.6,
}


_ALIKE: Final = frozenset({"equal patch", "equal title", "similar title", "decided by a person"})


def pair_id(first: int, second: int) -> str:
    """Return the name of two requests; it does not depend on their order and never changes."""
    return derived_id("change group", min(first, second), max(first, second))[:12]


def strongest(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return one pair for each two requests: the certain one, then the most confident."""
    best: dict[str, Pair] = {}
    for pair in sorted(pairs, key=lambda pair: (not pair.certain, -pair.confidence, pair)):
        best.setdefault(pair.id, pair)
    return tuple(sorted(best.values()))
