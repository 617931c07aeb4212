"""A roadmap's own text with only its status words changed, as a patch.

Only words in the place of an item's status are touched, one line an item, and only where facts
prove another state. The patch carries the digest of the text it was made from, and `apply` refuses
any other text.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from events.errors import InvalidQuestion
from events.identity import body_digest
from projections.roadmap_status.context import RoadmapView, ViewedItem
from projections.roadmap_status.drift.drift import DriftContext, DriftKind
from projections.roadmap_status.reading import Box
from projections.roadmap_status.status.status import Basis, Status, StatusKind
from projections.roadmap_status.words.states import State

_OF_CLAIM: Final = (
    DriftKind.ABSENT,
    DriftKind.ELSEWHERE,
    DriftKind.REVERTED,
    DriftKind.CLAIMED_OPEN,
    DriftKind.CLAIMED_DROPPED,
    DriftKind.STALE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The old text, the new one, and what could not be changed by itself."""

    number: int
    before: str
    after: str
    left: tuple[str, ...]
    """Titles of items that differ, and whose words the text does not show on one line."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the text that the patch is for."""
        return body_digest(self.before.encode())

    @property
    def patch(self) -> str:
        """The unified difference, headed by the digest; empty where nothing has to change."""
        name = f"roadmap-{self.number}.md"
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
        difference = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
        return f"# for the text {self.digest}\n{difference}" if difference else ""

    def apply(self, text: str) -> str:
        """Return the new text; raise InvalidQuestion where the text has changed meanwhile."""
        if body_digest(text.encode()) != self.digest:
            raise InvalidQuestion(
                f"the text of #{self.number} has changed since the proposal was made; ask again"
            )
        return self.after


def propose(view: RoadmapView, text: str, context: DriftContext) -> Proposal:
    """Return the text with the status words that the facts prove."""
    lines = text.splitlines(keepends=True)
    unchanged = []
    for item in view.items:
        if not _differs(item):
            continue
        at = item.judged.match.item.line - 1
        changed = _changed(lines[at], item, context) if 0 <= at < len(lines) else None
        if changed is None:
            unchanged.append(item.judged.match.item.title)
        else:
            lines[at] = changed
    return Proposal(
        number=view.roadmap.number, before=text, after="".join(lines), left=tuple(unchanged)
    )


def words_of(status: Status, context: DriftContext) -> str:
    """Write a status as a roadmap says it."""
    if status.kind is StatusKind.IN_PROGRESS and status.draft:
        return "in progress (draft)"
    if status.kind not in (StatusKind.DELIVERED, StatusKind.FOUNDATION, StatusKind.PARTLY):
        return "delivered" if status.kind is StatusKind.DONE else status.kind.value
    long_lived = [
        branch for branch in status.branches if context.roles.role(branch) in ("main", "dev")
    ]
    branches = " and ".join(sorted(long_lived or status.branches, key=context.default.__ne__))
    return f"{status.kind.value} on {branches}" if branches else status.kind.value


def _differs(item: ViewedItem) -> bool:
    """Tell whether an item's own claim is wrong, and nobody has let it be."""
    return any(
        drift.kind in _OF_CLAIM and not drift.of_link and drift.acknowledged is None
        for drift in item.drift
    )


def _changed(line: str, item: ViewedItem, context: DriftContext) -> str | None:
    claim, status = item.judged.match.item.claim, item.judged.status
    if claim.struck:  # to take the strike away is more than to change a word
        return None
    if claim.words is State.NONE and claim.box in (Box.OPEN, Box.TICKED):
        return _boxed(line, ticked=status.kind.is_complete)
    if status.basis is Basis.NOTHING:
        return None
    for spelling in _spellings(claim.text):
        at = line.find(spelling)
        if at >= 0 and line.find(spelling, at + 1) < 0:
            return line[:at] + words_of(status, context) + line[at + len(spelling) :]
    return None


def _spellings(text: str) -> Iterator[str]:
    """Yield what was read as the status, as it may stand in the line."""
    if text:
        yield text
        parts = text.split(", ")
        if len(parts) == 1:
            yield text.strip()


def _boxed(line: str, *, ticked: bool) -> str | None:
    old, new = ("[ ]", "[x]") if ticked else ("[x]", "[ ]")
    for spelling in (old, old.upper()):
        if spelling in line:
            return line.replace(spelling, new, 1)
    return None
