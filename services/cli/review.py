"""`shipledger review`: what a person has to confirm or reject."""

from pathlib import Path
from textwrap import shorten

import click

from services.cli.options import data_option, json_option, known_at_option, print_json, table


@click.command("review")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("action", type=click.Choice(["list", "confirm", "reject"]), default="list")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--reason", default="", help="Why.")
@click.option("--author", help="Who says so; else the name of the user.")
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    action: str,
    name: str | None,
    reason: str,
    author: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """List the commits that may revert, restore or pick a change, or decide about one of them.

    Until a person decides, they keep verdicts from claiming what cannot be known. A decision is a
    record; a later one about the same ID replaces it.

    \b
    Example:
      shipledger review acme/widget
      shipledger review acme/widget confirm 1a2b3c4d5e6f --reason "it says so in the discussion"
    """
    from services.cli.answering import up_to_date
    from services.cli.release_answering import ground_of, whoever
    from services.releases.decisions import decide_mention
    from services.releases.reviews import document, review_list

    if (action == "list") is not (name is None):
        raise click.UsageError("confirm and reject need an ID of the list, and list needs none")
    with up_to_date(data) as stores:
        if name is not None:
            fact = decide_mention(
                stores,
                repository,
                name,
                holds=action == "confirm",
                author=author or whoever(),
                reason=reason,
            )
            click.echo(f"{name} ({fact.role} by {fact.sha[:10]}) is {action}ed by {fact.author}")
            return
        with ground_of(stores, repository, known_at=known_at) as asked:
            found = review_list(asked)
    if as_json:
        print_json(document(found))
        return
    rows = [
        (one.item.id, one.item.sha[:10], shorten(one.says, 60), shorten(one.subject, 80))
        for one in found.waiting
    ]
    table(("id", "commit", "may be a", "subject"), rows)
