"""Task boxes. It imports nothing, as who only counts them reads no Markdown."""

from enum import StrEnum


class Box(StrEnum):
    """The task box of a list entry."""

    OPEN = "open"
    TICKED = "ticked"
    MALFORMED = "malformed"
    """Meant as a box and none for GitHub (`[x]#7`, `[y] #8`): neither done nor open."""
