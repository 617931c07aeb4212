"""`shipledger edition`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import as_of_option, data_option, known_at_option
from services.cli.period_options import period_options, shape_option

if TYPE_CHECKING:
    from events.facts.editions import Language
    from services.answers.editions.edition import Edition
    from services.answers.questions.question import Shape

#: So many pairs of requests are named on standard error; `shipledger review` has them all.
_PAIRS = 5


@click.command("edition")
@click.argument("repository", metavar="OWNER/NAME")
@period_options
@as_of_option
@known_at_option
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of it."
)
@shape_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "txt", "html", "json", "csv"]),
    default="md",
    show_default=True,
)
@click.option(
    "--notes/--no-notes",
    "noted",
    default=True,
    help="In md and txt: beside each sentence to be written, the figures in the requests' texts.",
)
@data_option
def command(
    repository: str,
    named: str | None,
    releases: str | None,
    tz: str | None,
    final: bool,
    author: str,
    as_of: str | None,
    known_at: str | None,
    language: str,
    shape: str,
    form: str,
    noted: bool,
    data: Path | None,
) -> None:
    """Draft the edition of a period: what was delivered and is in progress, by theme.

    With --releases: of a release, what it brings against another one, by its commits.

    What still waits for a person goes to standard error: places to write, decisions to look at
    again, translations that are older than their text. Beside a sentence that is not written yet
    stand the figures that its requests state themselves; they are never published (--no-notes
    leaves them out). Nothing is recorded.

    \b
    Example:
      shipledger edition acme/widget --period 2026-07 --tz Asia/Shanghai
    """
    from projections.release_inclusion.view import HistoryCache
    from services.answers.editions.asking import named_question
    from services.answers.editions.assemble import assemble_edition
    from services.answers.editions.formats import render
    from services.answers.questions.period import moment
    from services.cli.answering import up_to_date

    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        question = named_question(
            *(snapshot, stores.settings, repository),
            named=named,
            releases=releases,
            zone=tz or stores.settings.zone(repository),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
            stage="final" if final else "",
            author=author,
        )
        edition = assemble_edition(snapshot, question, HistoryCache())
    chosen: Language = "zh" if language == "zh" else "en"
    how: Shape = "inline" if shape == "inline" else "seed"
    click.echo(render(edition, form, chosen, how, noted=noted), nl=False)
    tell_what_waits(edition)


def tell_what_waits(edition: "Edition") -> None:
    """Say on standard error what a person should do before publishing."""
    from services.answers.editions.parity import parity
    from services.answers.editions.words import LANGUAGES
    from services.answers.reports.wording import counted

    for gap in edition.gaps("en"):
        click.echo(f"to write: {gap}", err=True)
    for language in LANGUAGES:
        for theme in edition.by_model(language):
            click.echo(f"by a model ({language}): {theme.section}: {theme.key}", err=True)
    for look in (*edition.looks, *edition.stale):
        click.echo(f"look again: {look.about}: {look.why}", err=True)
    for pair in edition.uncertain[:_PAIRS]:
        click.echo(
            f"one change? #{pair.number} and #{pair.origin} ({pair.method}): {pair.doubt}", err=True
        )
    if edition.uncertain:
        click.echo(
            f"{counted(len(edition.uncertain), 'pair')} may be one change; "
            f"{'`shipledger curate twins`' if edition.release else '`shipledger review --period`'} "
            "takes your answer",
            err=True,
        )
    for fault in parity(edition):
        click.echo(f"languages differ: {fault}", err=True)
    left = sum(len(changes) for changes in edition.left_over.values())
    if left:
        click.echo(f"in no theme: {counted(left, 'change')}, listed at the foot", err=True)
