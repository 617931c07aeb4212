"""`shipledger pr`."""

from pathlib import Path

import click

from services.cli.options import NUMBER, asking_options, clock_options, format_option
from services.cli.printing import print_answer
from services.documents.forms import ANSWER_FORMS


@click.command("pr")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=NUMBER)
@clock_options
@format_option(ANSWER_FORMS, default="txt")
@asking_options
def command(
    repository: str, number: int, form: str, data: Path | None, **typed: str | None
) -> None:
    """Show one pull request's life on both clocks, with the records that prove it.

    \b
    Example:
      shipledger pr acme/widget 42
      shipledger pr acme/widget 42 --known-at 2026-07-15T00:00:00Z --json
    """
    from services.answers.questions.builder import QuestionBuilder, QuestionRequest
    from services.answers.reports.life_forms import life_forms
    from services.answers.reports.request_life import request_life
    from services.cli.answering import asked

    request = QuestionRequest(repository=repository, **typed)
    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        question = QuestionBuilder(stores.settings).repository(request)
        life = request_life(snapshot, repository, number, question.as_of, question.known_at)
    print_answer(life_forms(life), form)
