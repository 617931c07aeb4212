"""`shipledger themes`."""

from pathlib import Path

import click

from services.cli.options import asking_options, edge_options, period_options
from services.cli.saying import say


@click.group("themes")
def command() -> None:
    """Find out how the requests of a period group by what they are about.

    \b
    Example:
      shipledger themes suggest acme/widget --period 2026-07
    """


@command.command("suggest")
@click.argument("repository", metavar="OWNER/NAME")
@period_options
@edge_options
@click.option(
    "--cap",
    type=click.IntRange(1, 10_000),
    default=12,
    show_default=True,
    help="At most so many themes.",
)
@click.option(
    "--smallest",
    type=click.IntRange(1, 10_000),
    default=3,
    show_default=True,
    help="Requests in the smallest.",
)
@asking_options
def suggest_command(
    repository: str, cap: int, smallest: int, data: Path | None, **typed: str | None
) -> None:
    """Print theme rules for shipledger.toml, made from the merged requests of a period.

    A person renames the themes and strikes what is too wide before pasting them.

    \b
    Example:
      shipledger themes suggest acme/widget --period 2026-07
    """
    from projections.period_ledger.counting import delivered
    from services.answers.questions.builder import QuestionBuilder, QuestionRequest
    from services.answers.reports.assemble import assemble
    from services.answers.themes.making import make_themes
    from services.answers.themes.requests import merged_before, theme_requests
    from services.answers.themes.suggest import suggest
    from services.cli.answering import asked
    from services.config.repository import ThemeSettings

    request = QuestionRequest(repository=repository, **typed)
    with asked(data) as stores:
        question = QuestionBuilder(stores.settings).report(request)
        with stores.read_model.snapshot() as snapshot:
            report = assemble(snapshot, question)
            history = merged_before(snapshot, report.repo, report.period.start, report.known_at)
    classified = report.exclusions.requests
    files = {number: request.files for number, request in classified.items()}
    numbers = [
        entry.number
        for entry in delivered(report.entries)
        if not classified[entry.number].verdict.excluded
    ]
    requests = theme_requests(numbers, report.requests, files)
    themes = make_themes(requests, history, ThemeSettings(cap=cap, smallest=smallest))
    say(suggest(themes, requests) or "# no theme is large enough for a rule")
