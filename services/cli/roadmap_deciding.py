"""`shipledger roadmap acknowledge`, `shipledger roadmap decide`."""

from pathlib import Path

import click

from services.cli.options import NUMBER, data_option
from services.cli.saying import say

_author_option = click.option("--author", help="Who says so; else the name of the user.")
_reason_option = click.option("--reason", required=True, help="Why.")


@click.command("acknowledge")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("drift", metavar="DRIFT")
@_reason_option
@_author_option
@click.option("--until", metavar="TIME", help="It fires again then; else when the facts change.")
@click.option("--withdraw", is_flag=True, help="Take an acknowledgement back.")
@data_option
def acknowledge(
    repository: str,
    drift: str,
    reason: str,
    author: str | None,
    until: str | None,
    withdraw: bool,
    data: Path | None,
) -> None:
    """Say that a drift is known. DRIFT is its digest, which the roadmap's page shows.

    It stays in the list, marked as known, until the claim or the facts change.

    \b
    Example:
      shipledger roadmap acknowledge acme/widget 1f2e3d4c --reason "the port is under review"
    """
    from services.answers.questions.period import moment
    from services.authoring.roadmaps import acknowledge as record
    from services.cli.answering import up_to_date, whoever

    with up_to_date(data) as stores:
        viewed, fact = record(
            stores,
            repository,
            drift,
            author=author or whoever(),
            reason=reason,
            expires_at=None if until is None else moment(until),
            holds=not withdraw,
        )
    done = "acknowledged" if fact.holds else "no longer acknowledged"
    say(f"{done}: {viewed.judged.match.item.title} ({fact.digest})")


@click.command("decide")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("issue", type=NUMBER)
@click.argument("item", metavar="ITEM")
@click.option("--link", metavar="#N", help="The link that is meant.")
@click.option(
    "--role",
    type=click.Choice(["implementing", "tracking", "mention"]),
    help="What the link is to the item.",
)
@click.option("--status", help="The item's status, such as delivered.")
@_reason_option
@_author_option
@data_option
def decide(
    repository: str,
    issue: int,
    item: str,
    link: str | None,
    role: str | None,
    status: str | None,
    reason: str,
    author: str | None,
    data: Path | None,
) -> None:
    """Say what a link is to an item, or what the item's status is. ITEM is its id.

    Without --role or --status an earlier decision is taken back.

    \b
    Example:
      shipledger roadmap decide acme/widget 12 46a84e4f --link "#7" --role mention \\
          --reason "only compared with"
    """
    from services.authoring.roadmaps import decide as record
    from services.cli.answering import up_to_date, whoever

    with up_to_date(data) as stores:
        fact = record(
            stores,
            repository,
            issue,
            item,
            author=author or whoever(),
            reason=reason,
            link=link,
            role=role,
            status=status,
        )
    about = f"{fact.link} is {fact.role}" if fact.link else f"the status is {fact.status}"
    say(f"decided for {fact.item[:10]}: {about}")
