"""`shipledger report`."""

from pathlib import Path

import click

from services.cli.options import as_of_option, data_option, known_at_option


@click.command("report")
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--from", "start", required=True, metavar="DAY", help="The first day (or a time).")
@click.option("--to", "end", required=True, metavar="DAY", help="The day (or time) after the last.")
@click.option("--tz", metavar="ZONE", help="The zone of the days; else `zone` of shipledger.toml.")
@as_of_option
@known_at_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json", "html", "csv"]),
    default="md",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--definitions",
    "defined",
    is_flag=True,
    help="Add what each count means, of whom, and the search on GitHub that is comparable.",
)
@data_option
def command(
    repository: str,
    start: str,
    end: str,
    tz: str | None,
    as_of: str | None,
    known_at: str | None,
    form: str,
    as_json: bool,
    defined: bool,
    data: Path | None,
) -> None:
    """Print what was opened, merged, closed and left open in a period.

    \b
    Example:
      shipledger report acme/widget --from 2026-07-01 --to 2026-08-01 --tz Asia/Shanghai
    """
    from projections.release_inclusion.view import HistoryCache
    from services.cli.answering import up_to_date
    from services.releases.asking import release_settings
    from services.reports.assemble import assemble
    from services.reports.exclusion_rules import exclusion_rules
    from services.reports.period import moment, period
    from services.reports.question import Question
    from services.reports.render import render
    from services.reports.render.exclusion_text import definitions

    with up_to_date(data) as stores:
        configured = release_settings(stores.settings, repository)
        question = Question(
            full_name=repository,
            period=period(start, end, tz or stores.settings.zone(repository)),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
            roles=stores.settings.roles(repository),
            families=configured.families,
            aliases=configured.aliases,
            rules=exclusion_rules(stores.settings, repository),
        )
        with stores.read_model.snapshot() as snapshot:
            answer = assemble(snapshot, question, HistoryCache())
    click.echo(render(answer, "json" if as_json else form), nl=False)
    if defined and form == "md" and not as_json:
        click.echo()
        click.echo(
            definitions(answer.ledger, answer.exclusions, answer.full_name, answer.end), nl=False
        )
