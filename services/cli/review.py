"""`shipledger review`: what a person has to confirm or reject."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from services.cli.options import asking_options, json_option, known_at_option
from services.cli.printing import print_answer
from services.cli.saying import say
from services.documents.forms import Forms

if TYPE_CHECKING:
    from services.answers.questions.builder import QuestionRequest
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
@asking_options
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
    from services.answers.questions.builder import QuestionRequest
    from services.cli.answering import asked, up_to_date, whoever

    if (action == "list") is not (name is None):
        raise click.UsageError("confirm and reject need an ID of the list, and list needs none")
    request = QuestionRequest(repository=repository, period=period, zone=tz, known_at=known_at)
    with (asked if name is None else up_to_date)(data) as stores:
        if name is None:
            print_answer(_waiting(stores, request), "json" if as_json else "txt")
            return
        who = author or whoever()
        about = _decide(stores, request, name, holds=action == "confirm", author=who, reason=reason)
        say(f"{name} ({about}) is {action}ed by {who}")


def _decide(
    stores: "Stores",
    request: "QuestionRequest",
    name: str,
    *,
    holds: bool,
    author: str,
    reason: str,
) -> str:
    """Record a decision; return what it is about."""
    from services.authoring.decisions.deciding import decide_pair
    from services.authoring.releases import decide_mention

    if request.period is None:
        mention = decide_mention(
            stores, request.repository, name, holds=holds, author=author, reason=reason
        )
        return f"{mention.role} by {mention.sha[:10]}"
    twins = decide_pair(stores, name, request, holds=holds, author=author, reason=reason)
    return " and ".join(f"#{number}" for number in twins.numbers)


def _waiting(stores: "Stores", request: "QuestionRequest") -> Forms:
    from services.answers.releases.forms import reviews_forms
    from services.answers.releases.reviews import review_list
    from services.authoring.decisions.pairs import pairs_forms, pairs_in_doubt
    from services.cli.answering import releases_on

    if request.period is not None:
        with stores.read_model.snapshot() as snapshot:
            return pairs_forms(pairs_in_doubt(stores, snapshot, request))
    with releases_on(stores, request) as context:
        return reviews_forms(review_list(context))
