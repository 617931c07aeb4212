"""Facts about the files that a change touches, and about how it touches them."""

import msgspec

from events.facts.base import Fact
from events.instant import Instant


class FilesObserved(Fact, frozen=True, kw_only=True):
    """GitHub listed the files of a pull request. `paths` holds both names of a rename, sorted.

    `head` is the commit of the request that was listed, None where the list does not show one.
    """

    number: int
    at: Instant
    paths: tuple[str, ...]
    head: str | None = None
    capped: bool = False
    """The list ends where GitHub lists no more, or where reading was given up."""
    torn: bool = False
    """The request got other commits while its pages were read: they belong to two lists."""


class FormatJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a commit's difference to its first parent changes the format alone, and why not."""

    sha: str
    format_only: bool
    because: str = ""


class FormatsJudged(Fact, frozen=True, kw_only=True):
    """Commits were looked into, by rules of which `rules` names the version."""

    rules: str
    judgements: tuple[FormatJudgement, ...]


class PatchIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """git's patch id of a difference: equal ones change the same lines of the same files in the
    same way, wherever the lines stand and however they are spaced.

    `since` None: the difference of a commit to its first parent (the whole of what a squash or a
    merge brings). Else that of a request's head to `since`, on which its own commits are built.
    `patch` None: nothing is changed.
    """

    sha: str
    since: str | None = None
    patch: str | None = None


class PatchesIdentified(Fact, frozen=True, kw_only=True):
    """Patch ids were made of differences, by `method`; those of two methods do not compare."""

    method: str
    patches: tuple[PatchIdentity, ...]
