"""From the bytes of a delivery to typed objects, with errors that name the place of the fault.

The bytes in the log stay as they came. What is read from them is JSON in UTF-8, unpacked from its
form field where GitHub sent a form, at most MAX_DEPTH deep, and free of the two things that one
database keeps and another refuses: the code point U+0000 and surrogates without their partner.
Both become U+FFFD. Text that only mentions such an escape (backslash, u, 0, 0, 0, 0) is untouched.
"""

import re
from itertools import accumulate, chain, islice
from typing import Any, Final, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec

from events.errors import InvalidEvent
from events.record import FORM, JSON
from events.sources.github_webhook.moment import Moment, read_moment

T = TypeVar("T")

#: GitHub's own payloads are about ten levels deep. A bound of our own makes the answer the same
#: wherever it is asked; the decoder's depends on how deep the caller's stack happens to be.
MAX_DEPTH: Final = 100

_FIELD: Final = b"payload="
_SUSPECT: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair: kept
    rb"|(\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))"  # NUL, or half a pair: replaced
    rb"|\\.",  # any other escape, above all an escaped backslash: stepped over
    re.DOTALL,
)
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_LIST: Final = re.compile(rb"\[")
#: No object begins with `{/`, but URL templates do (`…/commits{/sha}`), of which a payload is full.
_OBJECT: Final = re.compile(rb"\{(?!/)")
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"{}[]")
_STEP: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}

#: A form is unpacked in pieces: every `%` costs an object while its piece is worked on.
_PIECE: Final = 1024 * 1024

#: Brackets are counted in pieces, so that other threads may run in between.
_BRACKETS: Final = 16 * 1024

_decoders: dict[type, msgspec.json.Decoder[Any]] = {}

_AT: Final = " - at `"
_MISSING: Final = re.compile(r"^Object missing required field `(?P<field>[^`]*)`$")


def media_type(content_type: str) -> str:
    """Return a content type without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def json_payload(content_type: str, body: bytes) -> bytes:
    """Return the JSON of a delivery, ready to be decoded; raise InvalidEvent where there is none.

    A `charset` is not looked at: GitHub sends UTF-8, and JSON is UTF-8 (RFC 8259, 8.1).
    """
    kind = media_type(content_type)
    if kind not in (JSON, FORM):
        raise InvalidEvent(f"content type {kind or 'absent'} is neither JSON nor a form")
    text = body if kind == JSON else _form_field(body)
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise InvalidEvent(f"not UTF-8 (byte {error.start})") from None
    _check_depth(text)
    # most bodies have few escapes or none, and what lies before the first one is looked at quickly
    first = text.find(b"\\")
    return _ESCAPE.sub(_replace, text) if first >= 0 and _SUSPECT.search(text, first) else text


def decode(payload: bytes, shape: type[T]) -> T:
    """Read a payload as `shape`; raise InvalidEvent with the path of what does not fit."""
    try:
        return _decoder(shape).decode(payload)
    except msgspec.ValidationError as error:
        raise _invalid(str(error)) from None
    except msgspec.DecodeError as error:
        raise InvalidEvent(f"not JSON: {error}") from None


def _form_field(body: bytes) -> bytes:
    """Return the unpacked field `payload`, without a list of all fields: there may be millions."""
    start = 0 if body.startswith(_FIELD) else body.find(b"&" + _FIELD) + 1
    if not body.startswith(_FIELD, start):
        raise InvalidEvent("the form has no field `payload`")
    start += len(_FIELD)
    end = body.find(b"&", start)
    return _unquote(body[start : end if end >= 0 else len(body)].replace(b"+", b" "))


def _unquote(text: bytes) -> bytes:
    unpacked, start = bytearray(), 0
    while start < len(text):
        end = start + _PIECE
        split = text.rfind(b"%", end - 2, end) if end < len(text) else -1
        end = end if split < 0 else split  # never between a `%` and its digits
        unpacked += unquote_to_bytes(text[start:end])
        start = end
    return bytes(unpacked)


def _replace(escape: re.Match[bytes]) -> bytes:
    return escape[0] if escape[1] is None else rb"\ufffd"


def _check_depth(text: bytes) -> None:
    """Refuse deep nesting. Only texts with many objects and lists are looked at closely."""
    openings = chain(_LIST.finditer(text), _OBJECT.finditer(text))
    if len([*islice(openings, MAX_DEPTH + 1)]) <= MAX_DEPTH:
        return
    brackets = _STRING.sub(_without, text).translate(None, _NOT_BRACKETS)
    level = 0
    for start in range(0, len(brackets), _BRACKETS):
        levels = [*accumulate(map(_STEP.__getitem__, brackets[start : start + _BRACKETS]))]
        if level + max(levels) > MAX_DEPTH:
            raise InvalidEvent(f"the body is nested too deeply (more than {MAX_DEPTH} levels)")
        level += levels[-1]


def _without(_: re.Match[bytes]) -> bytes:
    """Replace by nothing. As a function of ours it lets other threads run, which bytes do not."""
    return b""


def _invalid(message: str) -> InvalidEvent:
    reason, placed, path = message.rpartition(_AT)
    if placed:
        path = path.removesuffix("`").removeprefix("key in ").removeprefix("$").removeprefix(".")
    else:
        reason, path = message, ""
    missing = _MISSING.match(reason)
    if missing:
        reason, path = "required, and missing", f"{path}.{missing['field']}".lstrip(".")
    return InvalidEvent(reason, path=path)


def _decoder(shape: type[T]) -> msgspec.json.Decoder[T]:
    """Return the decoder of a shape, made once: that costs more than most decoding."""
    known = _decoders.get(shape)
    if known is None:
        known = _decoders[shape] = msgspec.json.Decoder(shape, dec_hook=_read_own_type)
    return known


def _read_own_type(kind: type, value: object) -> object:
    if kind is Moment:
        return read_moment(value)
    raise NotImplementedError(f"no reader for {kind}")
