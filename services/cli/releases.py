"""`shipledger releases`."""

from pathlib import Path

import click

from services.cli.options import as_of_option, data_option, json_option, known_at_option


@click.command("releases")
@click.argument("repository", metavar="OWNER/NAME")
@as_of_option
@known_at_option
@json_option
@data_option
def command(
    repository: str, as_of: str | None, known_at: str | None, as_json: bool, data: Path | None
) -> None:
    """List all releases: tags in version order, with what each brings against the one before.

    \b
    Example:
      shipledger releases acme/widget
    """
    from services.answers.releases.formats import render_listing
    from services.answers.releases.listing import listing
    from services.answers.releases.text import listing as as_text
    from services.cli.release_answering import ground

    with ground(repository, as_of, known_at, data) as asked:
        found = listing(asked)
    click.echo(render_listing(found, "json") if as_json else as_text(found), nl=False)
