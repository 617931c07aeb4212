"""`shipledger pr`."""

from pathlib import Path

import click

from services.cli.options import (
    as_of_option,
    data_option,
    json_option,
    known_at_option,
    print_json,
)


@click.command("pr")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=int)
@as_of_option
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    number: int,
    as_of: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Show one pull request's life on both clocks, with the records that prove it.

    \b
    Example:
      shipledger pr acme/widget 42
      shipledger pr acme/widget 42 --known-at 2026-07-15T00:00:00Z --json
    """
    from services.answers.questions.period import moment
    from services.answers.reports.request_life import as_document, as_text, request_life
    from services.cli.answering import up_to_date

    at, known = (None if text is None else moment(text) for text in (as_of, known_at))
    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        life = request_life(snapshot, repository, number, at, known)
    if as_json:
        print_json(as_document(life))
    else:
        click.echo(as_text(life), nl=False)
