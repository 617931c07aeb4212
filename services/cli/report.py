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
@click.option(
    "--themes/--no-themes",
    "themed",
    default=True,
    help="In JSON: the themes with their numbers, which takes seconds for a busy month.",
)
@click.option(
    "--receipt",
    "receipt",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the receipt to this file, for `shipledger verify`.",
)
@click.option(
    "--compare-known-at",
    metavar="TIME",
    help="Print what changed since it was known so, each with its cause (md or json).",
)
@click.option(
    "--compare-edition",
    metavar="ID|FILE",
    help="The same against an edition (its record's id, or its JSON), a receipt, a JSON report.",
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
    themed: bool,
    receipt: Path | None,
    compare_known_at: str | None,
    compare_edition: str | None,
    data: Path | None,
) -> None:
    """Print what was opened, merged, closed and left open in a period.

    \b
    Example:
      shipledger report acme/widget --from 2026-07-01 --to 2026-08-01 --tz Asia/Shanghai
    """
    from services.answers.questions.period import moment, period
    from services.answers.questions.question import ReportQuestion
    from services.answers.releases.asking import release_settings
    from services.answers.reports.exclusion_rules import exclusion_rules
    from services.answers.reports.render.exclusion_text import definitions
    from services.cli.answering import up_to_date
    from services.cli.report_answering import compared, told, with_themes

    with up_to_date(data) as stores:
        configured = release_settings(stores.settings, repository)
        question = ReportQuestion(
            full_name=repository,
            period=period(start, end, tz or stores.settings.zone(repository)),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
            roles=stores.settings.roles(repository),
            families=configured.families,
            aliases=configured.aliases,
            rules=exclusion_rules(stores.settings, repository),
        )
        form = "json" if as_json else form
        with stores.read_model.snapshot() as snapshot:
            if compare_known_at is not None or compare_edition is not None:
                earlier = {"known_at": compare_known_at, "edition": compare_edition}
                click.echo(compared(stores, snapshot, question, form, **earlier), nl=False)
                return
            answer, text = told(stores, snapshot, question, form, receipt)
            if form == "json" and themed:
                text = with_themes(stores, snapshot, question, answer, text)
    click.echo(text, nl=False)
    if defined and form == "md":
        click.echo()
        click.echo(
            definitions(answer.ledger, answer.exclusions, answer.full_name, answer.end), nl=False
        )
