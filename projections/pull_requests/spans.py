"""The states of a request, as spans of valid time."""

from typing import Literal, TypeAlias

import msgspec

from events.instant import Instant

Enter: TypeAlias = Literal["opened", "closed", "landed", "closed_unknown", "reopened", "merged"]
State: TypeAlias = Literal["open", "closed", "closed_unknown", "merged"]

_STATE_OF: dict[Enter, State] = {
    "opened": "open",
    "reopened": "open",
    "closed": "closed",
    "landed": "closed",
    "closed_unknown": "closed_unknown",
    "merged": "merged",
}


class StateSpan(msgspec.Struct, frozen=True, kw_only=True):
    """The request was in `state` from `vf` (inclusive) to `vt` (exclusive), entered by `enter`.

    `landed` is a close without GitHub's merge of a request that a commit landed; its record is the
    commit's. `evidence`: `stated` by the event itself, `shown` by a later snapshot, `inferred`
    between two of them, `census`, or `git`. `flags`: `ambiguous`, `close_not_seen`,
    `end_not_seen`, `contradiction`, `unconfirmed`, `undated`. A state without any date stands at
    INF: at no instant, in no period.
    """

    vf: Instant
    vt: Instant
    enter: Enter
    evidence: str
    record_id: str
    flags: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """The state that `enter` leads to."""
        return _STATE_OF[self.enter]

    @property
    def delivered(self) -> bool:
        """Whether the change of the request is in a branch: by GitHub's merge or by a commit."""
        return self.enter in ("merged", "landed")
