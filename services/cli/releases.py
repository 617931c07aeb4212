"""`shipledger releases`."""

from pathlib import Path

import click

from services.cli.options import asking_options, clock_options, format_option
from services.cli.printing import print_answer
from services.documents.forms import ANSWER_FORMS


@click.command("releases")
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--family", help="Only tags of this family: its form (v*), its name or its folder.")
@clock_options
@format_option(ANSWER_FORMS, default="txt")
@asking_options
def command(
    repository: str, family: str | None, form: str, data: Path | None, **typed: str | None
) -> None:
    """List all releases: tags in version order, with what each brings against the one before.

    Told is also how the versions of each family of tags are read, and which tags are none.

    \b
    Example:
      shipledger releases acme/widget
      shipledger releases acme/widget --family pdata
    """
    from services.answers.questions.builder import QuestionRequest
    from services.answers.releases.forms import listing_forms
    from services.answers.releases.listing import listing
    from services.cli.answering import releases_of

    with releases_of(QuestionRequest(repository=repository, **typed), data) as context:
        print_answer(listing_forms(listing(context, family)), form)
