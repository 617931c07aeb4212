"""`shipledger report`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.errors import InvalidQuestion
from services.cli.options import (
    asking_options,
    clock_options,
    edge_options,
    format_option,
    period_options,
)
from services.cli.printing import default_form, print_answer
from services.cli.served import only_by_itself
from services.documents.forms import SHEET_FORMS

if TYPE_CHECKING:
    from projections.store.snapshot import Snapshot
    from services.answers.questions.question import ReportQuestion
    from services.audit.restatements import Before
    from services.stream.stores import Stores


@click.command("report")
@click.argument("repository", metavar="OWNER/NAME")
@period_options
@edge_options
@clock_options
@format_option(SHEET_FORMS)
@click.option(
    "--definitions",
    "defined",
    is_flag=True,
    help="Add what each count means, of whom, and the search on GitHub that is comparable.",
)
@click.option(
    "--themes/--no-themes",
    "themed",
    default=True,
    help="In JSON: the themes with their numbers, which takes seconds for a busy month.",
)
@click.option(
    "--receipt",
    "receipt",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the receipt to this file, for `shipledger verify`.",
)
@click.option(
    "--compare-known-at",
    metavar="TIME",
    help="Print what changed since it was known so, each with its cause.",
)
@click.option(
    "--compare-edition",
    metavar="ID|FILE",
    help="The same against an edition (its record's id, or its JSON), a receipt, a JSON report.",
)
@asking_options
def command(
    repository: str,
    form: str | None,
    defined: bool,
    themed: bool,
    receipt: Path | None,
    compare_known_at: str | None,
    compare_edition: str | None,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Print what was opened, merged, closed and left open in a period.

    \b
    Example:
      shipledger report acme/widget --period 2026-07 --tz Asia/Shanghai
      shipledger report acme/widget --from 2026-07-01 --to 2026-08-01 --json
    """
    from services.answers.editions.asking import with_themes
    from services.answers.editions.assemble import edition_of
    from services.answers.questions.builder import QuestionBuilder, QuestionRequest
    from services.answers.reports.assemble import assemble
    from services.audit.receipts.printing import printed_forms
    from services.audit.restatements import compare, restatement_forms
    from services.cli.answering import asked

    if receipt is not None or compare_edition is not None:
        only_by_itself("it names a file")
    request = QuestionRequest(repository=repository, **typed)
    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        question = QuestionBuilder(stores.settings).report(request)
        if compare_known_at is not None or compare_edition is not None:
            before = _before(stores, snapshot, question, compare_known_at, compare_edition)
            restatement = compare(stores, snapshot, question, before)
            print_answer(restatement_forms(restatement), form)
            return
        report = assemble(snapshot, question, stores.histories)
        edition = None
        if form == "json" and themed:
            edition_question = with_themes(stores.settings, question)
            edition = edition_of(snapshot, report, edition_question, stores.histories)
        form = form or default_form()
        forms = printed_forms(
            stores,
            snapshot,
            report,
            question,
            form,
            edition=edition,
            defined=defined,
            receipt_file=receipt,
        )
        print_answer(forms, form)


def _before(
    stores: "Stores",
    snapshot: "Snapshot",
    question: "ReportQuestion",
    known_at: str | None,
    edition: str | None,
) -> "Before":
    """Return the answer before: at another known time, or an edition (a file, or a record)."""
    from services.answers.questions.period import moment
    from services.audit.restatements import edition_before, file_before, known_before

    if known_at is not None and edition is not None:
        raise InvalidQuestion("compare with one thing: a known time, or an edition")
    if known_at is not None:
        return known_before(stores, snapshot, question, moment(known_at))
    assert edition is not None
    path = Path(edition)
    if path.is_file():
        return file_before(stores, snapshot, question, path)
    return edition_before(stores, snapshot, question, edition)
