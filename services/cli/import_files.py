"""`shipledger import files`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import ConfigurationError, InvalidQuestion
from services.cli.options import data_option, json_option
from services.cli.printing import print_json, progress_bar
from services.cli.saying import say

if TYPE_CHECKING:
    from services.stream.stores import Stores


@click.command("files")
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--numbers", metavar="LIST", help="Which requests, such as 12,15,20-29.")
@click.option(
    "--period",
    "named",
    metavar="PERIOD",
    help="Those active in a period (2026-07) of which no usable list of files is recorded.",
)
@click.option("--tz", metavar="ZONE", help="The zone of the period; else `zone` of the settings.")
@click.option(
    "--token-env",
    required=True,
    metavar="NAME",
    help="The environment variable with a token that may read the repository.",
)
@click.option("--api-url", metavar="URL", help="The address of the API, where it is another one.")
@json_option
@data_option
def files(
    repository: str,
    numbers: str | None,
    named: str | None,
    tz: str | None,
    token_env: str,
    api_url: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """List the files of pull requests by GitHub's API, where git does not show them.

    Lists that are recorded already cost GitHub little and append nothing.

    \b
    Example:
      shipledger import files acme/widget --period 2026-07 --token-env GITHUB_TOKEN
    """
    from events.identity import host_of
    from projections.repositories.queries import find
    from services.cli.answering import up_to_date
    from services.intake.github import GitHubClient, import_files
    from services.intake.github.files import api_address

    token = os.environ.get(token_env)
    if not token:
        raise ConfigurationError(f"the environment variable {token_env} is not set, or is empty")
    with up_to_date(data) as stores, progress_bar("Requests") as tell:
        with stores.read_model.snapshot() as snapshot:
            name = find(snapshot, repository)
        wanted = _wanted(stores, repository, numbers, named, tz)
        with GitHubClient(api_url or api_address(host_of(name.repo)), token) as client:
            result = import_files(
                client,
                wanted,
                log=stores.log,
                repository=name.repo,
                full_name=name.full_name,
                clock=stores.clock,
                partition=stores.partition_of(name.repo),
                progress=tell,
            )
    if as_json:
        print_json({"repository": repository, **msgspec.to_builtins(result)})
        return
    say(f"{repository}: {result.new:,} lists of files new, {result.unchanged:,} unchanged")
    if result.gone:
        say(f"not shown by GitHub: {', '.join(f'#{n}' for n in result.gone)}", err=True)


def _wanted(
    stores: "Stores", repository: str, numbers: str | None, named: str | None, tz: str | None
) -> list[int]:
    from services.answers.questions.builder import QuestionBuilder, QuestionRequest
    from services.answers.reports.assemble import assemble

    if (numbers is None) == (named is None):
        raise click.UsageError("give either --numbers or --period")
    if numbers is not None:
        return number_list(numbers)
    request = QuestionRequest(repository=repository, period=named, zone=tz)
    question = QuestionBuilder(stores.settings).report(request)
    with stores.read_model.snapshot() as snapshot:
        exclusions = assemble(snapshot, question).exclusions
    doubtful = exclusions.doubtful
    return [request.number for request in doubtful if request.verdict.doubt == "missing"]


def number_list(text: str) -> list[int]:
    """Read `12,15,20-29`; raise InvalidQuestion with the way to write it."""
    listed: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InvalidQuestion(f"{text!r} is no list of numbers; write 12,15,20-29")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[0] < 1 or len(numbers) > 100_000:
            raise InvalidQuestion(f"{part.strip()!r} names no numbers; write 12,15,20-29")
        listed += numbers
    return listed
