"""`shipledger why`."""

from pathlib import Path

import click

from services.cli.options import (
    as_of_option,
    data_option,
    json_option,
    known_at_option,
    print_json,
)


@click.command("why")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=click.IntRange(min=1))
@click.option(
    "--period",
    "named",
    required=True,
    metavar="PERIOD",
    help="2026-07, 2026-Q3, 2026-W31, 2026, or 2026-07-01..2026-08-01.",
)
@click.option("--tz", metavar="ZONE", help="The zone of the days; else `zone` of shipledger.toml.")
@as_of_option
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    number: int,
    named: str,
    tz: str | None,
    as_of: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Tell why a request is, or is not, told in a period's report: counts, rule, paths, records.

    \b
    Example:
      shipledger why acme/widget 42 --period 2026-07 --tz Asia/Shanghai
    """
    import msgspec

    from services.cli.answering import up_to_date
    from services.editions.asking import theme_settings
    from services.editions.assemble import edition_of
    from services.editions.placing import as_sentence, place_of
    from services.editions.question import EditionQuestion
    from services.reports.exclusion_rules import exclusion_rules
    from services.reports.named_period import named_period
    from services.reports.period import moment
    from services.reports.question import Question
    from services.reports.why import as_document, as_text, why

    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        question = Question(
            full_name=repository,
            period=named_period(named, tz or stores.settings.zone(repository)),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
            roles=stores.settings.roles(repository),
            rules=exclusion_rules(stores.settings, repository),
        )
        answer = why(snapshot, question, number)
        themes = theme_settings(stores.settings, repository)
        telling = EditionQuestion(report=question, themes=themes)
        place = place_of(edition_of(snapshot, answer.report, telling), number)
    if as_json:
        print_json({**as_document(answer), "edition": msgspec.to_builtins(place)})
    else:
        click.echo(as_text(answer), nl=False)
        click.echo(as_sentence(place))
