"""Typed answers as JSON: the fields of the answer in their order, indented by two."""

import msgspec


def render(answer: msgspec.Struct) -> str:
    """Write an answer."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"
