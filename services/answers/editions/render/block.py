"""What every format for people is written from: blocks of plain text, nothing of it markup."""

from typing import Final, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal[
    "title", "author", "section", "theme", "paragraph", "note", "quotation", "bullet", "related"
]

_NOTES: Final[frozenset[Kind]] = frozenset(("note", "quotation"))


class Block(msgspec.Struct, frozen=True):
    """A heading, a paragraph, a bullet; in drafts a note for the writer, and what it quotes."""

    kind: Kind
    text: str


def together(before: Kind, after: Kind) -> bool:
    """Tell whether two blocks that follow each other belong to one list, or to one note."""
    return before == after == "bullet" or (before in _NOTES and after in _NOTES)
