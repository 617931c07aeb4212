"""`shipledger edition`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from services.cli.options import (
    asking_options,
    clock_options,
    edition_options,
    format_option,
    shape_option,
)
from services.cli.printing import print_answer
from services.cli.saying import say
from services.documents.forms import SHEET_FORMS

if TYPE_CHECKING:
    from events.facts.editions import Language
    from services.answers.editions.edition import Edition
    from services.answers.questions.question import Shape

#: So many pairs of requests are named on standard error; `shipledger review` has them all.
_PAIRS = 5


@click.command("edition")
@click.argument("repository", metavar="OWNER/NAME")
@edition_options
@clock_options
@click.option(
    "--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of it."
)
@shape_option
@format_option(SHEET_FORMS, default="md")
@click.option(
    "--notes/--no-notes",
    "noted",
    default=True,
    help="In md and txt: beside each sentence to be written, the figures in the requests' texts.",
)
@click.option(
    "--regroup",
    is_flag=True,
    help="Make the themes anew from all changes, and record them in the place of those of before.",
)
@asking_options
def command(
    repository: str,
    final: bool,
    author: str,
    language: "Language",
    shape: "Shape",
    form: str,
    noted: bool,
    regroup: bool,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Draft the edition of a period: what was delivered and is in progress, by theme.

    With --releases: of a release, what it brings against another one, by its commits.

    What still waits for a person goes to standard error: places to write, decisions to look at
    again, translations that are older than their text. Beside a sentence that is not written yet
    stand the figures that its requests state themselves; they are never published (--no-notes
    leaves them out).

    The first draft's themes are recorded. Later drafts keep to them and place only what is new;
    each request that is new, has moved or left is named. --regroup starts again. A draft with
    --as-of or --known-at records nothing.

    \b
    Example:
      shipledger edition acme/widget --period 2026-07 --tz Asia/Shanghai
    """
    from services.answers.editions.asking import edition_question
    from services.answers.editions.assemble import assemble_edition
    from services.answers.editions.forms import edition_forms
    from services.answers.questions.builder import QuestionRequest
    from services.authoring.grouping import is_of_now
    from services.cli.answering import asked
    from services.cli.edition_grouping import keep_grouping, tell_moves

    request = QuestionRequest(repository=repository, **typed)
    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        question = edition_question(
            stores, snapshot, request, stage="final" if final else "", author=author
        )
        if regroup and not is_of_now(question):
            raise click.UsageError("--regroup is for now: leave out --as-of and --known-at")
        question = msgspec.structs.replace(question, regroup=regroup)
        edition = assemble_edition(snapshot, question, stores.histories)
        print_answer(edition_forms(edition, language, shape, noted=noted), form)
        tell_what_waits(edition)
        tell_moves(edition)
        keep_grouping(stores, question, edition)


def tell_what_waits(edition: "Edition") -> None:
    """Say on standard error what a person should do before publishing."""
    from services.answers.editions.parity import parity
    from services.answers.editions.words import LANGUAGES
    from services.answers.reports.wording import counted

    for gap in edition.gaps("en"):
        say(f"to write: {gap}", err=True)
    for language in LANGUAGES:
        for theme in edition.by_model(language):
            say(f"by a model ({language}): {theme.section}: {theme.key}", err=True)
    for look in (*edition.looks, *edition.stale):
        say(f"look again: {look.about}: {look.why}", err=True)
    for pair in edition.uncertain[:_PAIRS]:
        say(
            f"one change? #{pair.number} and #{pair.origin} ({pair.method}): {pair.doubt}", err=True
        )
    if edition.uncertain:
        say(
            f"{counted(len(edition.uncertain), 'pair')} may be one change; "
            f"{'`shipledger curate twins`' if edition.release else '`shipledger review --period`'} "
            "takes your answer",
            err=True,
        )
    for fault in parity(edition):
        say(f"languages differ: {fault}", err=True)
    untold = sum(len(changes) for changes in edition.left_over.values())
    if untold:
        say(f"in no theme: {counted(untold, 'change')}, listed at the foot", err=True)
