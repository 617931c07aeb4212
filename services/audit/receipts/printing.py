"""A report with its receipt: a field for programs, a line at the foot for people.

The digest of a receipt is that of the report without it, so a report is rendered twice: once to be
digested, and once with the receipt as a part of it. CSV has no place for one.
"""

from pathlib import Path

import msgspec

from events.errors import InvalidQuestion
from projections.store.snapshot import Snapshot
from services.answers.editions.answer import (
    ReconciliationAnswer,
    ThemeAnswer,
    reconciliation_answer,
    theme_answers,
)
from services.answers.editions.edition import Edition
from services.answers.questions.question import ReportQuestion
from services.answers.reports.answer import LedgerAnswer, report_answer
from services.answers.reports.assemble import Report
from services.answers.reports.classified_answer import KeptAnswer
from services.answers.reports.forms import report_forms
from services.audit.receipts.making import make_receipt
from services.audit.receipts.receipt import Receipt, encode, receipt_line
from services.documents.forms import Forms, render
from services.stream.stores import Stores


class PrintedSum(msgspec.Struct, frozen=True, kw_only=True):
    """Where the merged requests went: what the report keeps, or, with themes, what is told."""

    merged: int
    kept: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    told: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    twins: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    excluded: dict[str, tuple[int, ...]]
    not_told: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET


class PrintedReport(LedgerAnswer[PrintedSum], frozen=True, kw_only=True):
    """A report with its receipt, and with the themes under which its edition tells the requests.

    Where themes are given, `reconciliation` is the edition's sum, and the report's own is `kept`.
    """

    receipt: Receipt
    kept: KeptAnswer | msgspec.UnsetType = msgspec.UNSET
    themes: tuple[ThemeAnswer, ...] | msgspec.UnsetType = msgspec.UNSET


def printed_forms(
    stores: Stores,
    snapshot: Snapshot,
    report: Report,
    question: ReportQuestion,
    form: str,
    *,
    edition: Edition | None = None,
    defined: bool = False,
    receipt_file: Path | None = None,
) -> Forms:
    """Return a report with its receipt in a form; write the receipt to a file too, where one is
    named. `edition`: with its themes, for programs. Raise InvalidQuestion for a format it has not.
    """
    text = render(report_forms(report), form)
    receipt = make_receipt(stores, snapshot, report, question, text, form)
    if receipt_file is not None:
        _write(receipt_file, receipt)
    return report_forms(
        report,
        answer=lambda: _answer(report, receipt, edition),
        receipt=receipt_line(receipt),
        defined=defined,
    )


def _answer(report: Report, receipt: Receipt, edition: Edition | None) -> PrintedReport:
    plain = report_answer(report)
    fields = msgspec.structs.asdict(plain)
    if edition is None:
        fields["reconciliation"] = _sum(plain.reconciliation)
        return PrintedReport(**fields, receipt=receipt)
    fields["reconciliation"] = _sum(reconciliation_answer(edition.reconciliation))
    return PrintedReport(
        **fields, receipt=receipt, kept=plain.reconciliation, themes=theme_answers(edition)
    )


def _sum(parts: KeptAnswer | ReconciliationAnswer) -> PrintedSum:
    return PrintedSum(**msgspec.structs.asdict(parts))


def _write(path: Path, receipt: Receipt) -> None:
    try:
        path.write_bytes(encode(receipt))
    except OSError as error:
        raise InvalidQuestion(f"cannot write {path}: {error.strerror}") from error
