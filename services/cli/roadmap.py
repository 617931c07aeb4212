"""`shipledger roadmap`: show (also without the word), acknowledge, decide."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import as_of_option, data_option, known_at_option
from services.cli.roadmap_deciding import acknowledge, decide

if TYPE_CHECKING:
    from services.answers.roadmaps.asking import RoadmapAnswers


class _ShowUnlessNamed(click.Group):
    """`roadmap O/N 12` is `roadmap show O/N 12`: what is no command is shown."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command.parse_args`."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("roadmap", cls=_ShowUnlessNamed)
def command() -> None:
    """Check roadmaps: what the text claims, what is true, and where they differ.

    \b
    Example:
      shipledger roadmap acme/widget 12 --drift
      shipledger roadmap acknowledge acme/widget 1f2e3d --reason "26.08.1 is on its way"
    """


command.add_command(acknowledge)
command.add_command(decide)


@command.command("show")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("issue", type=click.IntRange(min=1), required=False)
@click.option("--drift", "only_drift", is_flag=True, help="Only where text and facts differ.")
@click.option("--matrix", "as_matrix", is_flag=True, help="Items by releases.")
@click.option("--words", default="", help="With --matrix: only items about these words.")
@click.option("--changes", nargs=2, metavar="FROM TO", help="What the text changed in between.")
@click.option("--series", "as_series", is_flag=True, help="The statuses over time.")
@click.option("--days", default=7, show_default=True, help="With --series: from point to point.")
@click.option("--lineage", "as_lineage", is_flag=True, help="What was carried over, how often.")
@click.option("--propose", "as_patch", is_flag=True, help="The text with true status words.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json", "csv", "html"]),
    default="md",
    show_default=True,
)
@as_of_option
@known_at_option
@data_option
def show(
    repository: str,
    issue: int | None,
    only_drift: bool,
    as_matrix: bool,
    words: str,
    changes: tuple[str, str] | None,
    as_series: bool,
    days: int,
    as_lineage: bool,
    as_patch: bool,
    form: str,
    as_of: str | None,
    known_at: str | None,
    data: Path | None,
) -> None:
    """Show a roadmap with the true status of each item, or list the roadmaps there are.

    `shipledger roadmap OWNER/NAME ISSUE` does the same. Without ISSUE the only roadmap is meant,
    or all are listed.

    \b
    Example:
      shipledger roadmap show acme/widget 12 --as-of 2026-08-22T00:00:00Z
      shipledger roadmap acme/widget 12 --matrix --words "cuda graph"
    """
    from services.answers.roadmaps import formats
    from services.cli.roadmap_answering import table as opened

    with opened(repository, as_of, known_at, data) as table:
        number = _only(table, issue)
        if number is None:
            text = formats.render_listing(table, form)
        elif as_patch:
            text = _patch(table, number)
        elif changes:
            start, end = map(_moment, changes)
            text = formats.render_changes(table, number, start, end, form)
        elif as_series:
            text = formats.render_series(table, number, form, days=days)
        elif as_matrix or words:
            text = formats.render_matrix(table, number, form, words=words)
        elif as_lineage:
            text = formats.render_lineage(table, number, form)
        else:
            text = formats.render_board(table, number, form, only_drift=only_drift)
    click.echo(text, nl=False)


def _moment(text: str) -> int:
    from services.answers.questions.period import moment

    return moment(text)


def _only(table: "RoadmapAnswers", issue: int | None) -> int | None:
    found = table.desk.roadmaps
    if issue is None and len(found) == 1:
        return found[0].number
    return issue


def _patch(table: "RoadmapAnswers", number: int) -> str:
    from services.answers.roadmaps.formats import proposal

    found = proposal(table, number)
    for title in found.left:
        click.echo(f"not changed, look yourself: {title}", err=True)
    return found.patch
