"""The earlier answer of a comparison: as known at another moment, or as an edition printed it."""

from pathlib import Path
from typing import Any

import msgspec

from events.errors import InvalidQuestion
from events.facts.editions import ToldTheme
from events.instant import Instant, format_instant, parse_instant
from projections.store.snapshot import Snapshot, Watermark
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.audit.receipts.finding import edition_in, edition_of_record, receipt_in
from services.audit.receipts.making import AsItStood, remake
from services.audit.receipts.pinned import rules_at, rules_with
from services.audit.receipts.receipt import Receipt, of_pairs
from services.audit.receipts.verifying import check_cuts
from services.audit.restatements.edition_file import edition_head
from services.audit.restatements.figures import (
    Figures,
    figures_of_document,
    figures_of_edition,
)
from services.stream.stores import Stores


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """The earlier answer. `report` is how it is made now (None: nothing tells from what);
    `published` what was printed (None: nothing was, or not with its figures); `themes` what an
    edition without a receipt told.
    """

    report: Report | None
    published: Figures | None = None
    receipt: Receipt | None = None
    edition: str | None = None
    themes: tuple[ToldTheme, ...] = ()


def known_before(
    stores: Stores, snapshot: Snapshot, question: ReportQuestion, known_at: Instant
) -> Before:
    """Return the answer as known at K, under the rules that were recorded then."""
    rules = rules_at(stores, question.full_name, known_at) or question.rules
    earlier = msgspec.structs.replace(question, known_at=known_at, rules=rules)
    return Before(report=assemble(snapshot, earlier))


def file_before(stores: Stores, snapshot: Snapshot, question: ReportQuestion, path: Path) -> Before:
    """Return the answer that a file holds: a receipt, or a report or an edition in JSON.

    Raise InvalidQuestion where it is about another repository or period.
    """
    edition = edition_in(path)
    if edition is not None:
        return _edition_file_before(stores, snapshot, question, edition, path.name)
    file = receipt_in(path)
    published = None if file.document is None else figures_of_document(file.document)
    check_cuts(stores, file.receipt)
    report = remake(stores, snapshot, file.receipt)
    return _made(question, file.receipt, report, published, path.name)


def _edition_file_before(
    stores: Stores,
    snapshot: Snapshot,
    question: ReportQuestion,
    document: dict[str, Any],
    name: str,
) -> Before:
    head = edition_head(document, name)
    _check_period(question, parse_instant(head.period.start), parse_instant(head.period.end), name)
    then = Watermark(
        last_recorded=parse_instant(head.known_at), caught_up_at=parse_instant(head.caught_up_at)
    )
    earlier = msgspec.structs.replace(
        question,
        # by key: the name may mean another repository today
        full_name=head.repository.key,
        as_of=parse_instant(head.period.cut_at) - 1,
        known_at=None,
        rules=rules_with(stores, head.basis.rules, head.repository.name, stores.settings),
    )
    report = assemble(AsItStood(snapshot, stores, then), earlier)
    return Before(report=report, published=figures_of_document(document), edition=name)


def edition_before(
    stores: Stores, snapshot: Snapshot, question: ReportQuestion, record_id: str
) -> Before:
    """Return the answer that an edition published, by the id of its record.

    Raise NotFound where there is none, InvalidQuestion where it is about another period.
    """
    edition = edition_of_record(stores, snapshot, record_id, question.full_name)
    if edition.releases is not None:
        raise InvalidQuestion(
            f"the edition {record_id} tells what {edition.releases[1]} brings against "
            f"{edition.releases[0]}, and counts no period; `shipledger verify` makes it again"
        )
    published = figures_of_edition(edition) or None
    if edition.receipt:
        receipt = of_pairs(edition.receipt)
        check_cuts(stores, receipt)
        report = remake(stores, snapshot, receipt)
        return _made(question, receipt, report, published, record_id)
    _check_period(question, edition.start, edition.end, edition.title)
    if published is None and not edition.themes:
        raise InvalidQuestion(f"the edition {record_id} tells nothing that could be compared")
    return Before(report=None, published=published or {}, edition=record_id, themes=edition.themes)


def _made(
    question: ReportQuestion,
    receipt: Receipt,
    report: Report,
    published: Figures | None,
    edition: str,
) -> Before:
    start, end = parse_instant(receipt.question.start), parse_instant(receipt.question.end)
    _check_period(question, start, end, edition)
    return Before(report=report, published=published, receipt=receipt, edition=edition)


def _check_period(question: ReportQuestion, start: Instant, end: Instant, name: str) -> None:
    if (start, end) != (question.period.start, question.period.end):
        raise InvalidQuestion(
            f"{name} is about {format_instant(start)} to {format_instant(end)}; "
            "ask for the report of the same period"
        )
