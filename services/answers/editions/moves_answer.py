"""For programs: by what record an edition is grouped, and what is not where that had it."""

import msgspec

from services.answers.editions.edition import Grouping, ThemeMove
from services.answers.reports.wording import rfc3339


class GroupingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """By what record the changes of a section are grouped, and since when it is known; null: the
    themes were made for this draft alone.
    """

    section: str
    record: str | None
    known_since: str | None


class ThemeMoveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is not where the recorded themes had it (`was`), or was not in them.

    `kind` is `new`, `moved` or `left`; `recorded`: an earlier draft said so, and it is kept.
    """

    number: int
    section: str
    kind: str
    was: str | None
    theme: str | None
    why: str
    says: str
    recorded: bool


def grouping_answer(grouping: Grouping) -> GroupingAnswer:
    """Return by what a section is grouped."""
    since = grouping.known_since
    return GroupingAnswer(
        section=grouping.section,
        record=grouping.record,
        known_since=None if since is None else rfc3339(since),
    )


def move_answer(move: ThemeMove) -> ThemeMoveAnswer:
    """Return a request that is not where the recorded themes have it."""
    return ThemeMoveAnswer(
        number=move.number,
        section=move.section,
        kind=move.kind,
        was=move.was,
        theme=move.theme,
        why=move.why,
        says=move.says,
        recorded=move.recorded,
    )
