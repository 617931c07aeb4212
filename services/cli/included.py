"""`shipledger included`."""

from pathlib import Path

import click

from services.cli.options import NUMBER, asking_options, clock_options, format_option
from services.cli.printing import print_answer, print_json
from services.documents.forms import ANSWER_FORMS


@click.command("included")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=NUMBER)
@click.argument("tag", required=False)
@clock_options
@format_option(ANSWER_FORMS, default="txt")
@asking_options
def command(
    repository: str,
    number: int,
    tag: str | None,
    form: str,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Tell whether a pull request is in a release, by what route, and if not, why not.

    TAG may be a tag, an alias, or a branch (which moves); without it every release is told. JSON is
    a list, one element a release.

    \b
    Example:
      shipledger included acme/widget 42 v1.2.0
      shipledger included acme/widget 42 --json
    """
    from services.answers.questions.builder import QuestionRequest
    from services.answers.releases.forms import everywhere_forms, inclusion_forms
    from services.answers.releases.inclusion import everywhere, included
    from services.answers.releases.inclusion_answer import inclusion_answer
    from services.cli.answering import releases_of

    request = QuestionRequest(repository=repository, **typed)
    with releases_of(request, data) as context:
        if tag is not None:
            answers = [included(context, number, tag)]
            forms = inclusion_forms(context.asked, answers[0])
        else:
            places = everywhere(context, number)
            answers, forms = [*places.releases], everywhere_forms(places)
    if form == "json":
        print_json([inclusion_answer(context.asked, answer) for answer in answers])
    else:
        print_answer(forms, form)
