"""`shipledger roadmap`: show (also without the word), acknowledge, decide."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import NUMBER, asking_options, clock_options, format_option
from services.cli.printing import print_answer
from services.cli.roadmap_deciding import acknowledge, decide
from services.cli.saying import say, say_exactly
from services.documents.forms import SHEET_FORMS

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
@click.argument("issue", type=NUMBER, required=False)
@click.option("--drift", "only_drift", is_flag=True, help="Only where text and facts differ.")
@click.option("--matrix", "as_matrix", is_flag=True, help="Items by releases.")
@click.option("--words", default="", help="With --matrix: only items about these words.")
@click.option("--changes", nargs=2, metavar="FROM TO", help="What the text changed in between.")
@click.option("--series", "as_series", is_flag=True, help="The statuses over time.")
@click.option("--days", default=7, show_default=True, help="With --series: from point to point.")
@click.option("--lineage", "as_lineage", is_flag=True, help="What was carried over, how often.")
@click.option("--propose", "as_patch", is_flag=True, help="The text with true status words.")
@format_option(SHEET_FORMS)
@clock_options
@asking_options
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
    form: str | None,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Show a roadmap with the true status of each item, or list the roadmaps there are.

    `shipledger roadmap OWNER/NAME ISSUE` does the same. Without ISSUE the only roadmap is meant,
    or all are listed.

    \b
    Example:
      shipledger roadmap show acme/widget 12 --as-of 2026-08-22T00:00:00Z
      shipledger roadmap acme/widget 12 --matrix --words "cuda graph"
    """
    from services.answers.questions.builder import QuestionRequest
    from services.answers.questions.period import moment
    from services.answers.roadmaps import forms
    from services.cli.answering import roadmaps_of

    with roadmaps_of(QuestionRequest(repository=repository, **typed), data) as roadmaps:
        number = _only(roadmaps, issue)
        if number is not None and as_patch:
            say_exactly(_patch(roadmaps, number))
            return
        if number is None:
            answer = forms.listing_forms(roadmaps)
        elif changes:
            start, end = map(moment, changes)
            answer = forms.changes_forms(roadmaps, number, start, end)
        elif as_series:
            answer = forms.series_forms(roadmaps, number, days=days)
        elif as_matrix or words:
            answer = forms.matrix_forms(roadmaps, number, words=words)
        elif as_lineage:
            answer = forms.lineage_forms(roadmaps, number)
        else:
            answer = forms.roadmap_forms(roadmaps, number, only_drift=only_drift)
        print_answer(answer, form)


def _only(roadmaps: "RoadmapAnswers", issue: int | None) -> int | None:
    listed = roadmaps.context.roadmaps
    return listed[0].number if issue is None and len(listed) == 1 else issue


def _patch(roadmaps: "RoadmapAnswers", number: int) -> str:
    from services.answers.roadmaps import forms

    proposal = forms.proposal(roadmaps, number)
    for title in proposal.left:
        say(f"not changed, look yourself: {title}", err=True)
    return proposal.patch
