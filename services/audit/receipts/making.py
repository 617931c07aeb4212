"""Making a report with its receipt, and making it again from one."""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Final

import msgspec
from sqlalchemy import select

from events.errors import InvalidQuestion
from events.identity import RepositoryKey, body_digest, host_of
from events.instant import Instant, format_instant, parse_instant
from events.log.port import START, Cursor
from projections.engine.catalog import PROJECTIONS
from projections.pull_requests.apply import PullRequests
from projections.release_inclusion.view import HistoryCache
from projections.store.schema import checkpoints, dead_letters
from projections.store.snapshot import Snapshot, Watermark
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.forms import report_forms
from services.audit.answer_version import answer_version
from services.audit.receipts.cuts import last_known
from services.audit.receipts.pinned import rules_with, settings_with
from services.audit.receipts.receipt import AskedQuestion, Cut, Output, Receipt
from services.config.settings import Settings
from services.documents.forms import MEDIA_TYPES, render
from services.stream.stores import Stores

Maker = Callable[[Report, str], str]
"""Renders a report in a language."""


def _maker(form: str) -> Maker:
    return lambda report, _language: render(report_forms(report), form)


#: Format -> how a report is rendered in it.
MAKERS: Final[Mapping[str, Maker]] = {form: _maker(form) for form in MEDIA_TYPES}


def make_receipt(
    stores: Stores,
    snapshot: Snapshot,
    report: Report,
    question: ReportQuestion,
    text: str,
    form: str,
    language: str = "en",
) -> Receipt:
    """Return the receipt of a report that was rendered as `text`, in the snapshot it came from."""
    watermark = snapshot.watermark(report.repo)
    raw = text.encode()
    return Receipt(
        question=_asked(report, question, form, language),
        as_of=format_instant(report.as_of),
        known_at=format_instant(report.known_at),
        last_recorded=format_instant(watermark.last_recorded),
        caught_up_at=format_instant(watermark.caught_up_at),
        host_until=_host_until(watermark),
        cuts=_cuts(stores, snapshot, report.repo, report.known_at),
        set_aside=set_aside(snapshot, report.repo, report.known_at),
        configuration=stores.settings.digest,
        rules={"exclusions": question.rules.digest},
        program=version("shipledger"),
        answers=answer_version(),
        output=Output(sha256=body_digest(raw), size=len(raw)),
    ).sealed()


def _host_until(watermark: Watermark) -> str | msgspec.UnsetType:
    until = watermark.host_until
    if until is None or until >= watermark.last_recorded:
        return msgspec.UNSET
    return format_instant(until)


def remake(
    stores: Stores, snapshot: Snapshot, receipt: Receipt, histories: HistoryCache | None = None
) -> Report:
    """Assemble the report of a receipt again, at its (T, K), with its configuration and rules.

    Raise NotFound where the log does not hold what the receipt names.
    """
    settings = settings_with(stores, receipt.configuration)
    question = question_of(stores, receipt, settings)
    then = Watermark(
        last_recorded=parse_instant(receipt.last_recorded),
        caught_up_at=parse_instant(receipt.caught_up_at),
        host_until=None
        if receipt.host_until is msgspec.UNSET
        else parse_instant(receipt.host_until),
    )
    return assemble(AsItStood(snapshot, stores, then), question, histories or HistoryCache())


def question_of(stores: Stores, receipt: Receipt, settings: Settings) -> ReportQuestion:
    """Return the question of a receipt, with what `settings` say of the repository."""
    question = receipt.question
    period = Period(
        start=parse_instant(question.start), end=parse_instant(question.end), zone=question.zone
    )
    configured = QuestionBuilder(settings).report(QuestionRequest(repository=question.name), period)
    return msgspec.structs.replace(
        configured,
        # by key: the name may mean another repository today
        full_name=question.repository,
        as_of=_instant(question.as_of),
        known_at=_instant(question.known_at),
        rules=rules_with(stores, receipt.rules["exclusions"], question.name, settings),
    )


def rendered(report: Report, receipt: Receipt, makers: Mapping[str, Maker] = MAKERS) -> str:
    """Render a report as its receipt says; raise InvalidQuestion for a format unknown here."""
    form = receipt.question.form
    if form not in makers:
        raise InvalidQuestion(f"unknown format {form!r}; this program renders {', '.join(makers)}")
    return makers[form](report, receipt.question.language)


def set_aside(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> tuple[str, ...]:
    """Return the records known at K that some projection could not use, by id."""
    record_ids: set[str] = set()
    for name, _ in PROJECTIONS:
        query = select(dead_letters.c.record_id).where(
            dead_letters.c.projection == name,
            dead_letters.c.generation == snapshot.generation(name),
            dead_letters.c.repo == repo,
            dead_letters.c.recorded_at <= known_at,
        )
        record_ids.update(snapshot.connection.scalars(query))
    return tuple(sorted(record_ids))


class AsItStood(Snapshot):
    """The read model to which the watermark of an earlier moment is given back.

    What an answer says of itself (cut, settled) follows from it; rows are read by K as always.
    """

    def __init__(self, snapshot: Snapshot, stores: Stores, then: Watermark) -> None:
        super().__init__(snapshot.connection, snapshot.active, stores.partition_of)
        self._then = then

    def watermark(self, repo: RepositoryKey) -> Watermark:  # noqa: ARG002
        """Return how far the projections had read then."""
        return self._then


def _asked(report: Report, question: ReportQuestion, form: str, language: str) -> AskedQuestion:
    return AskedQuestion(
        repository=report.repo,
        name=question.full_name,
        start=format_instant(question.period.start),
        end=format_instant(question.period.end),
        zone=question.period.zone,
        as_of=_text(question.as_of),
        known_at=_text(question.known_at),
        form=form,
        language=language,
    )


def _cuts(
    stores: Stores, snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> tuple[Cut, ...]:
    """Return the cut of every partition that a report reads: the repository's, and its host's."""
    partitions = dict.fromkeys(stores.partition_of(key) for key in (repo, host_of(repo)))
    entries = [
        last_known(stores.log, partition, known_at, _read(snapshot, partition))
        for partition in partitions
    ]
    return tuple(
        Cut(
            repository=entry.record.repository,
            record=entry.record.id,
            recorded_at=format_instant(entry.recorded_at),
        )
        for entry in entries
        if entry is not None
    )


def _read(snapshot: Snapshot, partition: str) -> Cursor:
    """Return how far the timelines have read a partition."""
    query = select(checkpoints.c.next_position, checkpoints.c.last_recorded).where(
        checkpoints.c.projection == PullRequests.name,
        checkpoints.c.generation == snapshot.generation(PullRequests.name),
        checkpoints.c.partition == partition,
    )
    row = snapshot.connection.execute(query).one_or_none()
    return START if row is None else Cursor(row.next_position, row.last_recorded)


def _instant(text: str | None) -> Instant | None:
    return None if text is None else parse_instant(text)


def _text(instant: Instant | None) -> str | None:
    return None if instant is None else format_instant(instant)
