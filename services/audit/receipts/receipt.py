"""What a report was made from: enough to make it again and to compare. No I/O.

A receipt names its inputs by content: the records that K cuts, the digests of the configuration
and of each rule set, the version of the program. Times are RFC 3339 in UTC, as they are printed.
Its seal shows that it was not changed by accident or by hand; it proves nothing about who wrote it.
"""

from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.identity import RepositoryKey, body_digest

VERSION: Final = 1


class AskedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The question as it was asked; None for a clock that was left to the moment of asking.

    `name` is what the asker called the repository: what is configured is found by it.
    """

    repository: RepositoryKey
    name: str
    start: str = msgspec.field(name="from")
    end: str = msgspec.field(name="to")
    zone: str = msgspec.field(name="tz")
    as_of: str | None = None
    known_at: str | None = None
    form: str = msgspec.field(name="format")
    language: str = "en"


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """The last record of a partition that is known at K."""

    repository: RepositoryKey
    record: str
    recorded_at: str


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """The rendered text in UTF-8, without the receipt that is printed in it."""

    sha256: str
    size: int = msgspec.field(name="bytes")


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The receipt of one report.

    `last_recorded` and `caught_up_at` are how far the projections had read: an answer prints
    whether it was settled then. `host_until` is how far the partition of the host was known, shown
    only where that was less. `set_aside` are the records that could not be read then.
    """

    version: int = VERSION
    question: AskedQuestion
    as_of: str
    known_at: str
    last_recorded: str
    caught_up_at: str
    host_until: str | msgspec.UnsetType = msgspec.UNSET
    cuts: tuple[Cut, ...]
    set_aside: tuple[str, ...]
    configuration: str
    """Digest of the configuration record that held."""
    rules: dict[str, str]
    """Digest of each rule set by what it is for."""
    program: str
    answers: str
    """The answer version."""
    output: Output
    seal: str = ""

    def sealed(self) -> "Receipt":
        """Return the receipt with the digest of everything else in it."""
        return msgspec.structs.replace(self, seal=_seal(self))


def receipt_line(receipt: Receipt) -> str:
    """Write a receipt on one line, for the foot of a report."""
    rules = ", ".join(f"{name} {digest[:12]}" for name, digest in sorted(receipt.rules.items()))
    cuts = ", ".join(f"{cut.repository} {cut.record}" for cut in receipt.cuts)
    return (
        f"Receipt: content sha256 {receipt.output.sha256[:12]}; "
        f"configuration {receipt.configuration[:12]}; rules {rules}; records up to {cuts}; "
        f"Shipledger {receipt.program}, answers {receipt.answers}."
    )


def encode(receipt: Receipt) -> bytes:
    """Write a receipt as a file: JSON, indented, with a line end."""
    return msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n"


def decode(raw: bytes) -> Receipt:
    """Read a receipt; raise InvalidQuestion where it is none, is newer, or was changed."""
    try:
        version = msgspec.json.decode(raw, type=_Versioned).version
        if version != VERSION:
            raise InvalidQuestion(
                f"the receipt has version {version}, and this program reads {VERSION}; "
                "verify it with the program that wrote it, or a later one"
            )
        receipt = msgspec.json.decode(raw, type=Receipt)
    except msgspec.MsgspecError as error:
        raise InvalidQuestion(
            f"this is not a receipt of a report ({error}); "
            "`shipledger report … --receipt FILE` writes one"
        ) from error
    if receipt.seal != _seal(receipt):
        raise InvalidQuestion(
            "the receipt was changed after it was written: its seal is not the digest of what "
            "stands in it, so there is nothing that could be compared"
        )
    return receipt


def pairs(receipt: Receipt) -> dict[str, str]:
    """Return a receipt as flat text, for records that keep it so; each value is JSON."""
    fields: dict[str, msgspec.Raw] = msgspec.json.decode(
        msgspec.json.encode(receipt), type=dict[str, msgspec.Raw]
    )
    return {name: bytes(value).decode() for name, value in fields.items()}


def of_pairs(kept: dict[str, str]) -> Receipt:
    """Read what `pairs` wrote; raise InvalidQuestion as `decode` does."""
    raw = {name: msgspec.Raw(value.encode()) for name, value in kept.items()}
    return decode(msgspec.json.encode(raw))


class _Versioned(msgspec.Struct):
    version: int


def _seal(receipt: Receipt) -> str:
    unsealed = msgspec.structs.replace(receipt, seal="")
    return body_digest(msgspec.json.encode(unsealed, order="deterministic"))
