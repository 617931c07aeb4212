"""`shipledger included`."""

from pathlib import Path

import click

from services.cli.options import (
    as_of_option,
    data_option,
    json_option,
    known_at_option,
    print_json,
)


@click.command("included")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("number", type=int)
@click.argument("tag", required=False)
@as_of_option
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    number: int,
    tag: str | None,
    as_of: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Tell whether a pull request is in a release, by what route, and if not, why not.

    TAG may be a tag, an alias, or a branch (which moves); without it every release is told. JSON is
    a list, one element a release.

    \b
    Example:
      shipledger included acme/widget 42 v1.2.0
      shipledger included acme/widget 42 --json
    """
    from services.answers.releases import documents, text
    from services.answers.releases.inclusion import everywhere, included
    from services.cli.release_answering import ground

    with ground(repository, as_of, known_at, data) as asked:
        if tag is not None:
            one = included(asked, number, tag)
            answers, said = [one], text.inclusion(one)
        else:
            all_of_it = everywhere(asked, number)
            answers, said = [*all_of_it.releases], text.everywhere(all_of_it)
    if as_json:
        print_json([documents.inclusion(asked.asked, each) for each in answers])
    else:
        click.echo(said, nl=False)
