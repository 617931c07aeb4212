"""The little that ingestion reads of a body before it is stored: where it belongs, and its time.

Reading is lenient: a field that is not what it should be counts as absent, because a delivery with
a valid signature is stored even where it will not translate. Only a body that is no JSON object at
all is refused.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from events.instant import Instant
from events.sources.github_webhook.moment import read_moment
from events.sources.github_webhook.payload import decode, json_payload

T = TypeVar("T")

_NULL: Final = msgspec.Raw(b"null")
_HOST: Final = re.compile(r"^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d{1,5})?\Z")
_ACTION: Final = re.compile(r"^[a-z][a-z0-9_]{0,63}\Z")
_GREATEST_ID: Final = 2**63 - 1

#: The object that dates an event, and its fields from the best to the worst.
_DATED_BY: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "issue_comment": ("issue", ("updated_at",)),
    "issues": ("issue", ("updated_at",)),
    "pull_request": ("pull_request", ("updated_at",)),
    "pull_request_review": ("pull_request", ("updated_at",)),
    "pull_request_review_comment": ("pull_request", ("updated_at",)),
    "pull_request_review_thread": ("pull_request", ("updated_at",)),
    "push": ("repository", ("pushed_at",)),
    "release": ("release", ("updated_at", "published_at")),
    "repository": ("repository", ("updated_at",)),
}


class Routing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a delivery belongs. `host` is from the signed body; None where that names none."""

    action: str | None = None
    repository_id: int | None = None
    full_name: str | None = None
    host: str | None = None
    time: Instant | None = None


class _Parts(msgspec.Struct, frozen=True):
    action: msgspec.Raw = _NULL
    repository: msgspec.Raw = _NULL
    pull_request: msgspec.Raw = _NULL
    issue: msgspec.Raw = _NULL
    release: msgspec.Raw = _NULL


class _Repository(msgspec.Struct, frozen=True):
    id: Any = None
    full_name: Any = None
    html_url: Any = None


class _Times(msgspec.Struct, frozen=True):
    updated_at: Any = None
    published_at: Any = None
    pushed_at: Any = None


def read_routing(event: str, content_type: str, body: bytes) -> Routing:
    """Read where a delivery belongs; raise InvalidEvent where the body is no JSON object."""
    parts = decode(json_payload(content_type, body), _Parts)
    repository = _lenient(parts.repository, _Repository) or _Repository()
    return Routing(
        action=_text(_lenient(parts.action, str), _ACTION),
        repository_id=_id(repository.id),
        full_name=repository.full_name if isinstance(repository.full_name, str) else None,
        host=_host_of_url(repository.html_url),
        time=_time(event, parts),
    )


def valid_host(text: str | None) -> str | None:
    """Return a host name (with its port, if any) in lower case, None where it is not one."""
    return _text(text.lower() if text else None, _HOST)


def _host_of_url(url: object) -> str | None:
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    return valid_host(parts.netloc.rpartition("@")[2])


def _time(event: str, parts: _Parts) -> Instant | None:
    name, fields = _DATED_BY.get(event, ("", ()))
    times = _lenient(getattr(parts, name), _Times) if name else None
    for field in fields:
        value = getattr(times, field, None)
        try:
            return read_moment(value).instant
        except ValueError:
            continue
    return None


def _id(value: object) -> int | None:
    is_id = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _GREATEST_ID
    return value if is_id and isinstance(value, int) else None


def _text(text: str | None, pattern: re.Pattern[str]) -> str | None:
    return text if text is not None and pattern.match(text) else None


def _lenient(raw: msgspec.Raw, shape: type[T]) -> T | None:
    try:
        return msgspec.json.decode(raw, type=shape)
    except msgspec.DecodeError:
        return None
