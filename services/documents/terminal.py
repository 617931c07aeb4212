"""What a text is written to. Imports nothing heavy."""

from typing import Final

import msgspec


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """How many columns it has (None: lines are never folded), and whether it shows colours."""

    width: int | None = None
    colours: bool = False


#: A file or a pipe.
PIPE: Final = Terminal()
