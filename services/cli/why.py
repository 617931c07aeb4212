"""`shipledger why`."""

from pathlib import Path

import click

from services.cli.options import (
    NUMBER,
    asking_options,
    clock_options,
    format_option,
    period_options,
    releases_option,
)
from services.cli.printing import print_answer
from services.documents.forms import ANSWER_FORMS


@click.command("why")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=NUMBER)
@period_options
@releases_option
@clock_options
@format_option(ANSWER_FORMS, default="txt")
@asking_options
def command(
    repository: str, number: int, form: str, data: Path | None, **typed: str | None
) -> None:
    """Tell why a request is, or is not, told in a period's report: counts, rule, paths, records.

    With --releases: in the edition of a release, and where it is.

    \b
    Example:
      shipledger why acme/widget 42 --period 2026-07 --tz Asia/Shanghai
      shipledger why acme/widget 42 --releases v1.2.0..v1.3.0
    """
    from services.answers.editions.asking import edition_question
    from services.answers.editions.releases.why import why_of_release, why_of_release_forms
    from services.answers.editions.why import why_of_period, why_of_period_forms
    from services.answers.questions.builder import QuestionRequest
    from services.cli.answering import asked

    request = QuestionRequest(repository=repository, **typed)
    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        question = edition_question(stores, snapshot, request)
        if question.releases is None:
            print_answer(why_of_period_forms(why_of_period(snapshot, question, number)), form)
        else:
            print_answer(why_of_release_forms(why_of_release(snapshot, question, number)), form)
