"""The files of requests that are not merged, from the commits of their heads.

The commits are those that the head is built on and the base branch did not have at T. A merge
inside a request brings what others changed, so its own difference is left out. The union may name
a path that the request changed and changed back; it lacks none, so nothing is excluded wrongly.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from events.instant import Instant
from projections.period_ledger.files.landed import Files, union
from projections.pull_requests.observation import Observation, most_trusted
from projections.release_inclusion.commit_paths import CommitReader, ancestors, beyond, past_tip
from projections.release_inclusion.queries import HEADS, RefValue, pull_heads, refs_at
from projections.release_inclusion.tips import first_values, last_held


class HeadFiles:
    """Heads, bases and their difference at T; `observed` is what was shown up to T, in order."""

    def __init__(
        self, reader: CommitReader, observed: Mapping[int, Sequence[Observation]], as_of: Instant
    ) -> None:
        self._reader = reader
        self._observed = observed
        self._as_of = as_of
        self._reached: dict[str, set[str]] = {}
        self._tips: dict[str, str | None] = {}

    def of(self, numbers: Iterable[int]) -> dict[int, Files]:
        """Return the files of the requests of which head, base and all between are known."""
        own = {number: self._own_commits(number) for number in numbers}
        known = self._reader.recorded(sha for shas in own.values() for sha in shas or ())
        return {
            number: union(shas, known, "head") for number, shas in own.items() if shas is not None
        }

    def head(self, number: int) -> str | None:
        """Return the head of a request: what it showed last, else where its own ref pointed."""
        heads = [s.fact.head_sha for s in self._observed.get(number, ()) if s.fact.head_sha]
        return heads[-1] if heads else self._pull_heads.get(number)

    def _own_commits(self, number: int) -> tuple[str, ...] | None:
        head = self.head(number)
        bases = most_trusted(self._observed.get(number, ()), "base")
        if head is None or not bases:
            return None
        branch = HEADS + (bases[-1].fact.base or "")
        if branch not in self._tips:
            self._tips[branch] = self._tip(branch)
        tip = self._tips[branch]
        if tip is None:
            return None
        if tip not in self._reached:
            self._reached[tip] = ancestors(self._reader.links, tip)
        own = beyond(self._reader.links, head, self._reached[tip])
        if own is None:
            return None
        return tuple(sha for sha in own if len(self._reader.links[sha].parents) < 2)

    def _tip(self, branch: str) -> str | None:
        """Return where a branch stood at T, as far as its commits are known."""
        here = self._refs.get(branch)
        if here is not None and here.sha not in self._reader.links:
            # pushed and not fetched yet
            behind = last_held(
                self._reader.snapshot, self._reader.repo, [here], self._as_of, self._reader.known_at
            )
            here = behind.get(branch)
        if here is not None:
            return here.sha
        later = self._first.get(branch)
        return None if later is None else past_tip(self._reader.links, later.sha, self._as_of)

    @cached_property
    def _refs(self) -> dict[str, RefValue]:
        reader = self._reader
        return refs_at(reader.snapshot, reader.repo, self._as_of, reader.known_at)

    @cached_property
    def _first(self) -> dict[str, RefValue]:
        reader = self._reader
        return first_values(reader.snapshot, reader.repo, self._as_of, reader.known_at)

    @cached_property
    def _pull_heads(self) -> dict[int, str]:
        return pull_heads(self._refs)
