"""The forms in which a text links to a pull request or an issue.

`#12`, `GH-12`, `owner/name#12` and whole addresses, as GitHub links them: `name#12` is no link, a
number with a leading zero is none, and word characters are those of ASCII, so that `见#12。` links.
Whether a bare number is a request or an issue is not in the text; facts say so.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import msgspec

from events.identity import DEFAULT_HOST

_NUMBER: Final = r"(?P<{0}>[1-9][0-9]{{0,9}})(?![0-9A-Za-z_])"
_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9_.-]{1,100}"
_TAIL: Final = r"(?:/[A-Za-z0-9_.-]*)*(?:\?[A-Za-z0-9_=&%.,;~+/-]*)?(?:#[A-Za-z0-9_.-]*)?"
_ADDRESS: Final = (
    r"https?://(?:www\.)?(?P<host>[A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?)/"
    rf"(?P<path>{_NAME})/(?P<kind>pull|issues)/{_NUMBER.format('at')}{_TAIL}"
)
_SHORT: Final = (
    rf"(?<![A-Za-z0-9_&/#.-])(?P<name>{_NAME})#{_NUMBER.format('named')}"
    rf"|(?<![A-Za-z0-9_&/#])#{_NUMBER.format('bare')}"
    rf"|(?<![A-Za-z0-9_-])GH-{_NUMBER.format('gh')}"
)
_ANYWHERE: Final = re.compile(rf"{_ADDRESS}|{_SHORT}", re.IGNORECASE)
_WHOLE: Final = re.compile(rf"\s*{_ADDRESS}\s*", re.IGNORECASE)


class TargetKind(StrEnum):
    """What the link's own form says that its target is."""

    PULL_REQUEST = "pull_request"
    ISSUE = "issue"
    NUMBER = "number"
    """Either: requests and issues share their numbers."""


class Reference(msgspec.Struct, frozen=True, order=True):
    """The target of a link: a number of this repository, or of another one."""

    number: int
    repository: str | None = None
    """`owner/name` in lower case where it is another repository; None: this one."""
    kind: TargetKind = TargetKind.NUMBER

    @property
    def key(self) -> tuple[str, int]:
        """Return what two links to one target share, in whatever form they are written."""
        return self.repository or "", self.number

    def __str__(self) -> str:
        """Write the link as GitHub would show it."""
        return f"{self.repository or ''}#{self.number}"


class Reader(msgspec.Struct, frozen=True):
    """What has to be known to read a roadmap's links."""

    names: frozenset[str] = frozenset()
    """The repository's own `owner/name`, former ones included, in lower case."""
    host: str = DEFAULT_HOST
    roadmaps: frozenset[tuple[str, int]] = frozenset()
    """Keys of the references that are known to be roadmaps themselves."""

    @classmethod
    def of(cls, *names: str, host: str = DEFAULT_HOST) -> "Reader":
        """Take the names in any case."""
        return cls(frozenset(name.lower() for name in names), host.lower())

    def address(self, href: str) -> Reference | None:
        """Return the target of a link's address; None where it is no request and no issue."""
        match = _WHOLE.fullmatch(href)
        return self._reference(match) if match else None

    def find(self, text: str) -> Iterator[tuple[int, int, Reference]]:
        """Yield (start, end, target) of each link in a text, in order."""
        for match in _ANYWHERE.finditer(text):
            reference = self._reference(match)
            if reference is not None:
                yield match.start(), match.end(), reference

    def _reference(self, match: re.Match[str]) -> Reference | None:
        parts = match.groupdict()
        if parts["at"]:
            if parts["host"].lower() != self.host:
                return None
            pull = parts["kind"].lower() == "pull"
            kind = TargetKind.PULL_REQUEST if pull else TargetKind.ISSUE
            return Reference(int(parts["at"]), self._foreign(parts["path"]), kind)
        number = int(parts["named"] or parts["bare"] or parts["gh"])
        return Reference(number, self._foreign(parts["name"]))

    def _foreign(self, name: str | None) -> str | None:
        return name.lower() if name and name.lower() not in self.names else None
