"""What `shipledger report` prints: a report with its receipt, or what changed since another one."""

from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import InvalidQuestion
from services.stream.stores import Stores

if TYPE_CHECKING:
    from projections.store.snapshot import Snapshot
    from services.answers.questions.question import ReportQuestion
    from services.answers.reports.assemble import Report


def told(
    stores: Stores,
    snapshot: "Snapshot",
    question: "ReportQuestion",
    form: str,
    receipt_file: Path | None,
) -> "tuple[Report, str]":
    """Return a report and its text with the receipt in it; write the receipt to a file too."""
    from projections.release_inclusion.view import HistoryCache
    from services.answers.reports.assemble import assemble
    from services.answers.reports.render import render
    from services.audit.receipts import encode, make_receipt, printed

    report = assemble(snapshot, question, HistoryCache())
    text = render(report, form)
    receipt = make_receipt(stores, snapshot, report, question, text, form)
    if receipt_file is not None:
        try:
            receipt_file.write_bytes(encode(receipt))
        except OSError as error:
            raise InvalidQuestion(f"cannot write {receipt_file}: {error.strerror}") from error
    return report, printed(text, receipt)


def with_themes(
    stores: Stores, snapshot: "Snapshot", question: "ReportQuestion", report: "Report", text: str
) -> str:
    """Return a report in JSON with the themes under which its edition tells the requests.

    The sum is then the edition's, and the report's own stands beside it as `kept`.
    """
    import json

    from projections.release_inclusion.view import HistoryCache
    from services.answers.editions.asking import theme_settings
    from services.answers.editions.assemble import edition_of
    from services.answers.editions.render.json_document import themes_document
    from services.answers.questions.question import EditionQuestion
    from services.answers.reports.render.exclusion_json import reconciliation_document

    themes = theme_settings(stores.settings, question.full_name)
    asked = EditionQuestion(report=question, themes=themes)
    edition = edition_of(snapshot, report, asked, HistoryCache())
    plain = json.loads(text)
    document = {
        **plain,
        "kept": plain["reconciliation"],
        "reconciliation": reconciliation_document(edition.reconciliation),
        "themes": themes_document(edition),
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def compared(
    stores: Stores,
    snapshot: "Snapshot",
    question: "ReportQuestion",
    form: str,
    *,
    known_at: str | None,
    edition: str | None,
) -> str:
    """Return what changed since another known time, or since an edition (a file, or a record)."""
    from services.answers.questions.period import moment
    from services.audit.restatements import (
        compare,
        edition_before,
        file_before,
        known_before,
        render,
    )

    if known_at is not None and edition is not None:
        raise InvalidQuestion("compare with one thing: a known time, or an edition")
    if known_at is not None:
        before = known_before(stores, snapshot, question, moment(known_at))
    else:
        assert edition is not None
        path = Path(edition)
        if path.is_file():
            before = file_before(stores, snapshot, question, path)
        else:
            before = edition_before(stores, snapshot, question, edition)
    return render(compare(stores, snapshot, question, before), form)
