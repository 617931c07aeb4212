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
from services.cli.period_options import period_option, releases_option, zone_option


@click.command("why")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=click.IntRange(min=1))
@period_option
@releases_option
@zone_option
@as_of_option
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    number: int,
    named: str | None,
    releases: str | None,
    tz: str | None,
    as_of: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Tell why a request is, or is not, told in a period's report: counts, rule, paths, records.

    With --releases: in the edition of a release, and where it is.

    \b
    Example:
      shipledger why acme/widget 42 --period 2026-07 --tz Asia/Shanghai
      shipledger why acme/widget 42 --releases v1.2.0..v1.3.0
    """
    from services.answers.editions import why as of_period
    from services.answers.editions.asking import named_question
    from services.answers.editions.releases import why as of_releases
    from services.answers.questions.period import moment
    from services.cli.answering import up_to_date

    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        question = named_question(
            *(snapshot, stores.settings, repository),
            named=named,
            releases=releases,
            zone=tz or stores.settings.zone(repository),
            as_of=None if as_of is None else moment(as_of),
            known_at=None if known_at is None else moment(known_at),
        )
        if question.releases is None:
            found = of_period.why_of_period(snapshot, question, number)
            document, text = of_period.as_document(found), of_period.as_text(found)
        else:
            answer = of_releases.why_of_release(snapshot, question, number)
            document, text = of_releases.as_document(answer), of_releases.as_text(answer)
    if as_json:
        print_json(document)
    else:
        click.echo(text, nl=False)
