"""What a commit's message says about other commits: that it picks, reverts or restores them.

Only known templates are read, never prose ("Revert to old default"). A *certain* mention may
decide a verdict. A *review* mention has the look of one, but a person has to confirm it: it names
its target only by a title, only in passing, or by a number that the words may mean otherwise.
"""

from enum import StrEnum

import msgspec


class Role(StrEnum):
    """What the commit does to the change that it mentions."""

    PICK = "pick"
    REVERT = "revert"
    RESTORE = "restore"


class Certainty(StrEnum):
    """Whether a mention may decide a verdict by itself."""

    CERTAIN = "certain"
    REVIEW = "review"


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """One statement of a message about one other change.

    The target is named by `sha` (whole, or abbreviated to 7 digits or more), by `number`, by
    `title`, or by several of them for the same target; where a title was cut off by GitHub, it
    ends with `…`. All are None where the message says that it reverts, but not what.
    """

    role: Role
    method: str
    """The template that was recognised, for the evidence."""
    certainty: Certainty = Certainty.CERTAIN
    sha: str | None = None
    number: int | None = None
    title: str | None = None
    among: tuple[str, ...] = ()
    """The commits of which one or several are meant, where that is known and nobody can tell."""
