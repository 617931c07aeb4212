"""Typed answers as JSON: the fields of the answer in their order, indented by two.

What would act on a terminal is written as `\\u202e`: a program reads the same text.
"""

import msgspec

from services.documents.printable import ACTING


def render(answer: msgspec.Struct) -> str:
    """Write an answer."""
    text = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
    return harmless(text) + "\n"


def harmless(text: str) -> str:
    """Write characters of JSON that act on a terminal as escapes; they stand in strings only."""
    return ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
