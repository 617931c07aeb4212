"""`shipledger release`: show (also without the word), alias."""

from pathlib import Path

import click

from services.cli.options import asking_options, clock_options, format_option
from services.cli.printing import print_answer
from services.cli.release_alias import alias
from services.documents.forms import ANSWER_FORMS


class _ShowUnlessNamed(click.Group):
    """`release O/N TAG` is `release show O/N TAG`: what is no command is shown."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command.parse_args`."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("release", cls=_ShowUnlessNamed)
def command() -> None:
    """Show what a release brings, or name releases as readers do.

    \b
    Example:
      shipledger release acme/widget v1.2.0
      shipledger release alias add 26.08 v1.2.0 --source https://github.com/acme/widget/issues/7
    """


command.add_command(alias)


@command.command("show")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("tag")
@click.option("--against", metavar="TAG", help="Tell it against this release, not the one before.")
@click.option("--path", metavar="GLOB", help="Only what touches such a path, or such a folder.")
@click.option("--label", help="Only pull requests with this label.")
@format_option(ANSWER_FORMS)
@clock_options
@asking_options
def show(
    repository: str,
    tag: str,
    against: str | None,
    path: str | None,
    label: str | None,
    form: str | None,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Show what is new in a release, what was removed or reverted, and what cannot be told.

    TAG may be an alias. `shipledger release OWNER/NAME TAG` does the same.

    \b
    Example:
      shipledger release show acme/widget v1.2.0
      shipledger release acme/widget v1.2.0 --against v1.0.0 --path docs
    """
    from services.answers.questions.builder import QuestionRequest
    from services.answers.releases.filters import Filter
    from services.answers.releases.forms import page_forms
    from services.answers.releases.release_page import release_page
    from services.cli.answering import releases_of

    filters = Filter(path=path, label=label)
    with releases_of(QuestionRequest(repository=repository, **typed), data) as context:
        page = release_page(context, tag, against=against, shown=filters)
    print_answer(page_forms(page), form)
