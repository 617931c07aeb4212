"""`shipledger release`: show (also without the word), alias."""

from pathlib import Path

import click

from services.cli.options import as_of_option, data_option, known_at_option
from services.cli.release_alias import alias


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
@click.option(
    "--format", "form", type=click.Choice(["md", "json", "html"]), default="md", show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@as_of_option
@known_at_option
@data_option
def show(
    repository: str,
    tag: str,
    against: str | None,
    path: str | None,
    label: str | None,
    form: str,
    as_json: bool,
    as_of: str | None,
    known_at: str | None,
    data: Path | None,
) -> None:
    """Show what is new in a release, what was removed or reverted, and what cannot be told.

    TAG may be an alias. `shipledger release OWNER/NAME TAG` does the same.

    \b
    Example:
      shipledger release show acme/widget v1.2.0
      shipledger release acme/widget v1.2.0 --against v1.0.0 --path docs
    """
    from services.answers.releases.formats import render_page
    from services.answers.releases.release_page import Filter, release_page
    from services.cli.release_answering import ground

    shown = Filter(path=path, label=label)
    with ground(repository, as_of, known_at, data) as asked:
        page = release_page(asked, tag, against=against, shown=shown)
    click.echo(render_page(page, "json" if as_json else form), nl=False)
