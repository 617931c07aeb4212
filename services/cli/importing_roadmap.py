"""`shipledger import roadmap`."""

from pathlib import Path

import click

from services.cli.options import NUMBER, data_option
from services.cli.saying import say


@click.command("roadmap")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--repo", "repository", required=True, metavar="OWNER/NAME")
@click.option("--issue", "number", required=True, type=NUMBER, help="The issue.")
@click.option("--at", "at", required=True, metavar="TIME", help="Since when it had this text.")
@click.option("--title", help="The title that it had.")
@click.option("--author", help="Who says so; else the name of the user.")
@data_option
def roadmap(
    path: Path,
    repository: str,
    number: int,
    at: str,
    title: str | None,
    author: str | None,
    data: Path | None,
) -> None:
    """Import the Markdown of a roadmap issue as it was at a moment.

    Without a webhook this is how a roadmap gets its editions; each import is one.

    \b
    Example:
      shipledger import roadmap q3.md --repo acme/widget --issue 12 --at 2026-07-01T00:00:00Z
    """
    from services.answers.questions.period import moment
    from services.authoring.roadmaps import import_roadmap
    from services.cli.answering import up_to_date, whoever

    with up_to_date(data) as stores:
        import_roadmap(
            stores,
            repository,
            path,
            number=number,
            at=moment(at),
            title=title,
            author=author or whoever(),
        )
    say(f"recorded the text of {repository}#{number} as of {at}")
    say(f"next: shipledger roadmap {repository} {number}")
