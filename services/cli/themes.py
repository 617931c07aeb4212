"""`shipledger themes`."""

from pathlib import Path

import click

from services.cli.options import data_option


@click.group("themes")
def command() -> None:
    """Find out how the requests of a period group by what they are about.

    \b
    Example:
      shipledger themes suggest acme/widget --from 2026-07-01 --to 2026-08-01
    """


@command.command("suggest")
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--from", "start", required=True, metavar="DAY", help="The first day (or a time).")
@click.option("--to", "end", required=True, metavar="DAY", help="The day (or time) after the last.")
@click.option("--tz", metavar="ZONE", help="The zone of the days; else `zone` of shipledger.toml.")
@click.option(
    "--cap",
    type=click.IntRange(min=1),
    default=12,
    show_default=True,
    help="At most so many themes.",
)
@click.option(
    "--smallest",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Requests in the smallest.",
)
@data_option
def suggest_command(
    repository: str,
    start: str,
    end: str,
    tz: str | None,
    cap: int,
    smallest: int,
    data: Path | None,
) -> None:
    """Print theme rules for shipledger.toml, made from the merged requests of a period.

    A person renames the themes and strikes what is too wide before pasting them.

    \b
    Example:
      shipledger themes suggest acme/widget --from 2026-07-01 --to 2026-08-01
    """
    from services.answers.questions.period import period
    from services.answers.questions.question import ReportQuestion
    from services.answers.reports.assemble import assemble
    from services.answers.reports.exclusion_rules import exclusion_rules
    from services.answers.themes.making import make_themes
    from services.answers.themes.requests import merged_before, theme_requests
    from services.answers.themes.suggest import suggest
    from services.cli.answering import up_to_date
    from services.config.themes import ThemeSettings

    with up_to_date(data) as stores:
        question = ReportQuestion(
            full_name=repository,
            period=period(start, end, tz or stores.settings.zone(repository)),
            roles=stores.settings.roles(repository),
            rules=exclusion_rules(stores.settings, repository),
        )
        with stores.read_model.snapshot() as snapshot:
            answer = assemble(snapshot, question)
            history = merged_before(snapshot, answer.repo, answer.period.start, answer.known_at)
    files = {number: one.files for number, one in answer.exclusions.requests.items()}
    kept = [
        entry.number
        for entry in answer.entries["merged"]
        if not answer.exclusions.requests[entry.number].verdict.excluded
    ]
    requests = theme_requests(kept, answer.requests, files)
    made = make_themes(requests, history, ThemeSettings(cap=cap, smallest=smallest))
    click.echo(suggest(made, requests) or "# no theme is large enough for a rule")
