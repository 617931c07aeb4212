"""How a copy that does not say so is written down: as a mention, by what it shares."""

from collections.abc import Iterable
from typing import Final

from projections.release_inclusion.messages.mention import Certainty, Mention, Role

#: The methods of mentions that are found here.
COPY: Final = "author, date and title"
PATCH: Final = "title and patch"
NUMBERED: Final = "number and title"
SAID: Final = "a title in its words"
SAME_MOMENT: Final = "author and date alone"
SAME_TITLE: Final = "title alone"
SAME_PATCH: Final = "patch alone"
INNER_NUMBER: Final = "a number before its own"


def pick(method: str, *, sha: str | None = None, number: int | None = None) -> Mention:
    """Return the mention of a commit that is sure to copy another one."""
    return Mention(role=Role.PICK, method=method, sha=sha, number=number)


def among(method: str, title: str, shas: Iterable[str]) -> Mention:
    """Return one question for all commits that one may copy."""
    return doubt(method, title=title, among=tuple(sorted(shas)))


def doubt(
    method: str,
    *,
    sha: str | None = None,
    number: int | None = None,
    title: str | None = None,
    among: tuple[str, ...] = (),
) -> Mention:
    """Return the question whether a commit copies another one."""
    return Mention(
        role=Role.PICK,
        method=method,
        certainty=Certainty.REVIEW,
        sha=sha,
        number=number,
        title=title,
        among=among,
    )
