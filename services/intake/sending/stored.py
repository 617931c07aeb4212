"""Deliveries stored as files.

Two shapes are read: `NAME.body` with `NAME.headers.json` beside it (as `shipledger simulate` writes
them), and a bare payload `EVENT__whatever.json`, whose headers are made up from its name and bytes,
so that sending it again is a redelivery.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.identity import derived_id
from events.record import JSON

_BODY: Final = ".body"
_HEADERS: Final = ".headers.json"


class StoredDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """One delivery, not signed yet."""

    path: Path
    headers: Mapping[str, str]
    body: bytes


def stored_deliveries(path: Path, *, event: str | None = None) -> Iterator[StoredDelivery]:
    """Yield the delivery of a file, or those of a folder (or its `deliveries/`) by name.

    `event` is the event of a bare payload whose name does not tell. Raise InvalidQuestion for what
    is no delivery, before anything of it is yielded.
    """
    for file in files(path):
        yield _with_headers(file) if file.suffix == _BODY else _bare(file, event)


def files(path: Path) -> list[Path]:
    """Return the files that hold bodies, in the order in which they are sent."""
    if path.is_file():
        return [_body_of(path)]
    if not path.is_dir():
        raise InvalidQuestion(f"{path} does not exist; name a stored delivery or a folder of them")
    inner = path / "deliveries"
    folder = inner if inner.is_dir() else path
    bodies = sorted(folder.glob(f"*{_BODY}")) or sorted(folder.glob("*__*.json"))
    if not bodies:
        raise InvalidQuestion(
            f"{folder} holds no deliveries; they are NAME.body with NAME.headers.json, or "
            "EVENT__NAME.json"
        )
    return bodies


def _body_of(path: Path) -> Path:
    if path.name.endswith(_HEADERS):
        return path.with_name(path.name.removesuffix(_HEADERS) + _BODY)
    return path


def _with_headers(path: Path) -> StoredDelivery:
    headers_path = path.with_suffix(_HEADERS)
    try:
        headers = msgspec.json.decode(headers_path.read_bytes(), type=dict[str, str])
        return StoredDelivery(path=path, headers=headers, body=path.read_bytes())
    except OSError as error:
        raise InvalidQuestion(f"cannot read {error.filename}: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise InvalidQuestion(f"{headers_path} is no JSON object of headers: {error}") from error


def _bare(path: Path, event: str | None) -> StoredDelivery:
    named, separator, _ = path.stem.partition("__")
    event = event or (named if separator else None)
    if event is None:
        raise InvalidQuestion(
            f"{path.name} does not tell its event; name it with --event pull_request, or call the "
            "file pull_request__opened.json"
        )
    body = path.read_bytes()
    headers = {
        "Content-Type": JSON,
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": derived_id("stored delivery", event, body),
    }
    return StoredDelivery(path=path, headers=headers, body=body)
