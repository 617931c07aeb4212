"""Where a receipt comes from: a file of its own, a report in JSON, or a published edition."""

import json
from pathlib import Path
from typing import Final

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.facts.editions import EditionPublished
from events.identity import RepositoryKey, body_digest
from events.record import Record
from events.translate import translate
from projections.repositories.queries import find as find_repository
from projections.repositories.queries import listing
from projections.store.snapshot import Snapshot
from services.audit.receipts.receipt import Receipt, decode, of_pairs
from services.logs.walk import find
from services.stream.stores import Stores

_WANTED: Final = (
    "give what `shipledger report … --receipt FILE` or `--format json` wrote, or name an edition "
    "by the id of its record, which `shipledger publish` printed"
)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt, and the document or edition that it came in, where it came in one."""

    receipt: Receipt
    document: dict[str, object] | None = None
    edition: EditionPublished | None = None


def receipt_in(path: Path) -> Found:
    """Read a receipt from a file: of its own, or of a report in JSON that carries one.

    Raise InvalidQuestion where there is none, or where the report is not the one it is about.
    """
    raw = _read(path)
    document = _object(path, raw)
    if "receipt" not in document:
        if "version" not in document:
            raise InvalidQuestion(f"{path} holds no receipt; {_WANTED}")
        return Found(receipt=decode(raw))
    receipt = decode(msgspec.json.encode(document["receipt"]))
    if receipt.question.form == "json":
        _check_content(content(document), receipt, str(path))
    return Found(receipt=receipt, document=document)


def content(document: dict[str, object]) -> str:
    """Return a report in JSON as its receipt is about it: without the receipt, and without the
    themes, which belong to the edition.
    """
    plain = {name: value for name, value in document.items() if name not in ("receipt", "themes")}
    if "kept" in plain:  # moved there by the sum that comes with the themes
        plain["reconciliation"] = plain.pop("kept")
    return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"


def edition_in(path: Path) -> dict[str, object] | None:
    """Read the JSON in which an edition was published; None where the file is none.

    It tells what it counted, and carries no receipt: that is in the record of the edition.
    """
    document = _object(path, _read(path))
    published = {"stage", "themes"} <= document.keys() and "receipt" not in document
    return document if published else None


def receipt_of_record(
    stores: Stores, snapshot: Snapshot, record_id: str, full_name: str | None = None
) -> Found:
    """Return the receipt of a published edition by its record id; raise NotFound without one."""
    record = _record(stores, snapshot, record_id, full_name)
    editions = [fact for fact in translate(record).facts if isinstance(fact, EditionPublished)]
    if not editions:
        raise NotFound(f"record {record_id} is not an edition, but {record.type}")
    if not editions[0].receipt:
        raise NotFound(
            f"the edition {record_id} ({editions[0].title}) has no receipt: it was not made here"
        )
    return Found(receipt=of_pairs(editions[0].receipt), edition=editions[0])


def edition_of_record(
    stores: Stores, snapshot: Snapshot, record_id: str, full_name: str | None = None
) -> EditionPublished:
    """Return a published edition, with or without a receipt; raise NotFound."""
    record = _record(stores, snapshot, record_id, full_name)
    for fact in translate(record).facts:
        if isinstance(fact, EditionPublished):
            return fact
    raise NotFound(f"record {record_id} is not an edition, but {record.type}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidQuestion(f"cannot read {path}: {error.strerror}") from error


def _object(path: Path, raw: bytes) -> dict[str, object]:
    try:
        document = json.loads(raw)
    except ValueError as error:
        raise InvalidQuestion(f"{path} is not JSON: {error}; {_WANTED}") from error
    if not isinstance(document, dict):
        raise InvalidQuestion(f"{path} holds no receipt; {_WANTED}")
    return document


def _record(stores: Stores, snapshot: Snapshot, record_id: str, full_name: str | None) -> Record:
    keys: list[RepositoryKey] = (
        [repository.repo for repository in listing(snapshot)]
        if full_name is None
        else [find_repository(snapshot, full_name).repo]
    )
    for key in keys:
        try:
            return find(stores.log, stores.partition_of(key), key, record_id).record
        except NotFound:
            continue
    raise NotFound(f"there is neither a file nor an edition {record_id!r}")


def _check_content(text: str, receipt: Receipt, name: str) -> None:
    if body_digest(text.encode()) != receipt.output.sha256:
        raise InvalidQuestion(
            f"{name} was changed after it was made: it is not the report that its receipt is about"
        )
