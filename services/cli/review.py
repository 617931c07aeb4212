"""`shipledger review`: what a person has to confirm or reject."""

from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from services.cli.options import data_option, json_option, known_at_option, print_json, table

if TYPE_CHECKING:
    from services.answers.questions.period import Period
    from services.stream.stores import Stores


@click.command("review")
@click.argument("repository", metavar="OWNER/NAME")
@click.argument("action", type=click.Choice(["list", "confirm", "reject"]), default="list")
@click.argument("name", metavar="[ID]", required=False)
@click.option(
    "--period",
    metavar="PERIOD",
    help="Instead of commits: requests of this period (2026-07) that may land one change.",
)
@click.option("--tz", metavar="ZONE", help="The period's time zone; else the configured one.")
@click.option("--reason", default="", help="Why.")
@click.option("--author", help="Who says so; else the name of the user.")
@known_at_option
@json_option
@data_option
def command(
    repository: str,
    action: str,
    name: str | None,
    period: str | None,
    tz: str | None,
    reason: str,
    author: str | None,
    known_at: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """List what only a person can tell, or decide about one entry by its ID.

    Commits that may revert, restore or pick a change: until a person decides, they keep verdicts
    from claiming what cannot be known. With --period, requests that may land one change: until a
    person decides, each is told on its own. A decision is a record; a later one replaces it.

    \b
    Example:
      shipledger review acme/widget
      shipledger review acme/widget confirm 1a2b3c4d5e6f --reason "it says so in the discussion"
      shipledger review acme/widget --period 2026-07
      shipledger review acme/widget confirm 6f5e4d3c2b1a --period 2026-07
    """
    from services.answers.questions.period import named_period
    from services.cli.answering import up_to_date
    from services.cli.release_answering import whoever

    if (action == "list") is not (name is None):
        raise click.UsageError("confirm and reject need an ID of the list, and list needs none")
    with up_to_date(data) as stores:
        asked = None
        if period is not None:
            asked = named_period(period, tz or stores.settings.zone(repository))
        if name is None:
            _list(stores, repository, asked, known_at, as_json=as_json)
            return
        said = _decide(
            stores, repository, asked, name, action == "confirm", author or whoever(), reason
        )
        click.echo(f"{name} ({said}) is {action}ed by {author or whoever()}")


def _decide(
    stores: "Stores",
    repository: str,
    period: "Period | None",
    name: str,
    holds: bool,
    author: str,
    reason: str,
) -> str:
    """Record a decision; return what it is about."""
    from services.authoring.decisions.deciding import decide_pair
    from services.authoring.releases import decide_mention

    if period is None:
        mention = decide_mention(
            stores, repository, name, holds=holds, author=author, reason=reason
        )
        return f"{mention.role} by {mention.sha[:10]}"
    twins = decide_pair(stores, repository, name, period, holds=holds, author=author, reason=reason)
    return " and ".join(f"#{number}" for number in twins.numbers)


def _list(
    stores: "Stores",
    repository: str,
    period: "Period | None",
    known_at: str | None,
    *,
    as_json: bool,
) -> None:
    if period is None:
        _list_commits(stores, repository, known_at, as_json=as_json)
    else:
        _list_pairs(stores, repository, period, known_at, as_json=as_json)


def _list_commits(
    stores: "Stores", repository: str, known_at: str | None, *, as_json: bool
) -> None:
    from services.answers.releases.reviews import document, review_list
    from services.cli.release_answering import ground_of

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


def _list_pairs(
    stores: "Stores", repository: str, period: "Period", known_at: str | None, *, as_json: bool
) -> None:
    from projections.release_inclusion.view import HistoryCache
    from services.answers.editions.render.json_document import pair_document
    from services.answers.questions.period import moment
    from services.authoring.decisions.pairs import pairs_in_doubt

    with stores.read_model.snapshot() as snapshot:
        found = pairs_in_doubt(
            snapshot,
            stores.settings,
            repository,
            period,
            HistoryCache(),
            known_at=None if known_at is None else moment(known_at),
        )
    if as_json:
        print_json({"waiting": [pair_document(one) for one in found.pairs]})
        return
    rows = [
        (
            one.id,
            *(
                f"{found.members[number].mark} {shorten(found.members[number].title, 60)}"
                for number in (one.number, one.origin)
            ),
            f"{one.method}: {one.doubt}",
        )
        for one in found.pairs
    ]
    table(("id", "request", "may be one change with", "by"), rows)
