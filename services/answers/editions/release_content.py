"""What one release brings against another one, as an edition tells it. Nothing here reads.

A request is *brought* where it is in force in the second release and not in the first, by ancestry,
picks and reverts (`projections.release_inclusion`), whenever it was merged. What is only partly
there, was reverted or removed, or cannot be told, is named beside it and never counted as brought.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from projections.release_inclusion.relation import Relation
from services.answers.releases.release_page import ReleasePage, Row
from services.answers.releases.subjects import Subject

Doubtful: TypeAlias = Literal["partly", "reverted", "removed", "undetermined", "perhaps_before"]
#: Why a request of a release is not plainly delivered by it, in the order in which it is told.
#: `perhaps_before`: the second release has it, and whether the first had it cannot be told.
DOUBTFUL: Final[tuple[Doubtful, ...]] = (
    "partly",
    "reverted",
    "removed",
    "undetermined",
    "perhaps_before",
)
Quality: TypeAlias = Literal["exact", "at_least", "about"]


class ReleaseContent(msgspec.Struct, frozen=True, kw_only=True):
    """The answer about two releases. `rows` are the brought requests by number."""

    first: Subject
    second: Subject
    relation: Relation
    """Of the first one's commit to the second one's."""
    page: ReleasePage
    rows: Mapping[int, Row]
    doubtful: Mapping[Doubtful, tuple[Row, ...]]
    before: frozenset[int] = frozenset()
    """Requests of the told changes that are in force in the first release."""
    inside: frozenset[int] = frozenset()
    """Requests of the told changes that are in force in the second one, carriers too."""

    @property
    def tags(self) -> tuple[str, str]:
        """The tags of the two."""
        return self.first.name, self.second.name

    @property
    def labels(self) -> tuple[str, str]:
        """The two as they were asked for, with what an alias means."""
        return self.first.label, self.second.label

    @property
    def counts(self) -> dict[str, int]:
        """How many requests are brought, and how many are doubtful in which way."""
        return {
            "brought": len(self.rows),
            **{name: len(self.doubtful[name]) for name in DOUBTFUL},
        }

    @property
    def quality(self) -> Quality:
        """How the number of brought requests is to be read."""
        if self.page.missing:
            return "about"
        open_ends = self.doubtful["undetermined"] or self.doubtful["perhaps_before"]
        return "at_least" if open_ends else "exact"

    @property
    def taken_back(self) -> dict[int, int]:
        """Brought requests that take back what the first release had not: revert -> target."""
        return {
            by: row.number
            for row in self.doubtful["reverted"]
            if row.verdict is not None
            for by in row.verdict.by
            if by in self.rows
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be said of the names of both, and of the lists."""
        return tuple(dict.fromkeys((*self.first.notes, *self.page.notes)))

    def unproven(self) -> Iterator[str]:
        """Yield why the content may not be called final."""
        if self.page.missing:
            yield f"{len(self.page.missing)} commits are missing from the recorded history"
        for name in ("undetermined", "perhaps_before"):
            numbers = ", ".join(f"#{row.number}" for row in self.doubtful[name])
            if numbers:
                yield f"whether it brings {numbers} cannot be told"


def release_content(
    first: Subject, second: Subject, relation: Relation, page: ReleasePage
) -> ReleaseContent:
    """Divide what a page about the second release against the first lists as new."""
    new = page.lists["new"]
    certain = [row for row in new if row.verdict is not None and row.verdict.new]
    certain_numbers = {row.number for row in certain}
    return ReleaseContent(
        first=first,
        second=second,
        relation=relation,
        page=page,
        rows={row.number: row for row in certain},
        doubtful={
            "partly": page.lists["partly"],
            "reverted": page.lists["reverted"],
            "removed": page.lists["removed"],
            "undetermined": page.lists["undetermined"],
            "perhaps_before": tuple(row for row in new if row.number not in certain_numbers),
        },
    )
