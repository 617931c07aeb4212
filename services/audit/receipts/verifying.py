"""Verifying a receipt: make the report again, compare the bytes, name what differs."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final, Literal, TypeAlias

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.identity import body_digest
from events.instant import SECOND, format_instant, parse_instant
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.audit.answer_version import answer_version
from services.audit.receipts.making import MAKERS, Maker, remake, rendered, set_aside
from services.audit.receipts.pinned import Unreadable
from services.audit.receipts.receipt import Receipt
from services.logs.walk import find
from services.stream.stores import Stores

Outcome: TypeAlias = Literal["same", "changed", "fault"]
EXIT_CODES: Final[Mapping[Outcome, int]] = {"same": 0, "changed": 3, "fault": 1}
#: By how much a stamp may be off that was derived without its partition's start.
_SAME_BATCH: Final = SECOND


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a receipt.

    `same`: the same bytes, whatever program made them now. `changed`: other bytes, and `because`
    names the program or the rules that differ. `fault`: other bytes, and nothing differs that may.
    """

    outcome: Outcome
    expected: str
    found: str | None
    """Digest of what was made now; None where nothing could be."""
    because: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 same, 3 changed, 1 a fault."""
        return EXIT_CODES[self.outcome]

    @property
    def says(self) -> str:
        """The verdict for a person, in one or more lines."""
        if self.outcome == "same":
            return f"same bytes: sha256 {self.expected}"
        if self.outcome == "changed":
            return "\n".join(
                ["differs because program or rules changed:", *(f"- {why}" for why in self.because)]
            )
        return (
            "differs, although program, rules and records are the same; please report this as a "
            f"fault: expected sha256 {self.expected}, made {self.found}"
        )


def verify(
    stores: Stores,
    snapshot: Snapshot,
    receipt: Receipt,
    *,
    histories: HistoryCache | None = None,
    makers: Mapping[str, Maker] = MAKERS,
) -> Verdict:
    """Make the report of a receipt again and compare.

    Raise InvalidQuestion where this log is not the one that the receipt was made from.
    """
    check_cuts(stores, receipt)
    expected = receipt.output.sha256
    try:
        report = remake(stores, snapshot, receipt, histories)
    except Unreadable as error:
        return Verdict(
            outcome="changed",
            expected=expected,
            found=None,
            because=(*_programs(receipt), str(error)),
        )
    digest = body_digest(rendered(report, receipt, makers).encode())
    if digest == expected:
        return Verdict(outcome="same", expected=expected, found=digest)
    because = (*_programs(receipt), *_letters(snapshot, receipt))
    outcome: Outcome = "changed" if because else "fault"
    return Verdict(outcome=outcome, expected=expected, found=digest, because=because)


def check_cuts(stores: Stores, receipt: Receipt) -> None:
    """Raise InvalidQuestion where this log is not the one that a receipt was made from."""
    for cut in receipt.cuts:
        partition = stores.partition_of(cut.repository)
        try:
            entry = find(stores.log, partition, cut.repository, cut.record)
        except NotFound as error:
            raise InvalidQuestion(
                f"this log has no record {cut.record} of {cut.repository}, which the receipt was "
                "made from; verify it where the report was made, or import that log"
            ) from error
        # Kafka's stamps are derived at reading, and `find` does not fold them from the start
        if abs(entry.recorded_at - parse_instant(cut.recorded_at)) > _SAME_BATCH:
            raise InvalidQuestion(
                f"record {cut.record} was recorded at {format_instant(entry.recorded_at)} here and "
                f"at {cut.recorded_at} by the receipt: this log was stamped anew when it was "
                "imported, and its known history is another one"
            )


def _programs(receipt: Receipt) -> list[str]:
    """Name the versions that differ."""
    differences = []
    if receipt.program != version("shipledger"):
        differences.append(f"Shipledger {receipt.program} then, {version('shipledger')} now")
    if receipt.answers != answer_version():
        differences.append(f"answer version {receipt.answers} then, {answer_version()} now")
    return differences


def _letters(snapshot: Snapshot, receipt: Receipt) -> list[str]:
    """Name the records that are read now and were set aside then, and the other way round."""
    then = set(receipt.set_aside)
    now = set(set_aside(snapshot, receipt.question.repository, parse_instant(receipt.known_at)))
    read = [f"record {record} was set aside then and is read now" for record in sorted(then - now)]
    lost = [f"record {record} was read then and is set aside now" for record in sorted(now - then)]
    return read + lost
