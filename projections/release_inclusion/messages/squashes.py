"""The list that GitHub writes into the message of a squash: one line for each commit."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

_LINE: Final = re.compile(r"\* (\S.*) \(#([1-9][0-9]{0,8})\)[ \t]*")


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a squash names, with the title that it had."""

    number: int
    title: str


def read_list(message: str) -> Iterator[Listed]:
    """Yield what a squash's list names; lines without a number at their end are commits."""
    for line in message.splitlines():
        match = _LINE.fullmatch(line) if line.startswith("* ") else None
        if match:
            yield Listed(number=int(match[2]), title=match[1])
