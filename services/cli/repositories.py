"""`shipledger repositories`: list, join."""

from pathlib import Path

import click

from services.cli.options import asking_options, data_option, json_option
from services.cli.printing import print_answer, print_json
from services.cli.saying import say


@click.group("repositories", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List the repositories of which something was recorded, or join two of them.

    \b
    Example:
      shipledger repositories list
      shipledger repositories join github.com/name:acme/widget github.com/1001
    """
    if context.invoked_subcommand is None:
        context.invoke(list_all)


@command.command("list")
@json_option
@asking_options
def list_all(as_json: bool = False, data: Path | None = None) -> None:
    """List all repositories: name, key, first and last event.

    \b
    Example:
      shipledger repositories list --json
    """
    from services.answers.reports.repositories import list_repositories, repositories_forms
    from services.cli.answering import asked

    with asked(data) as stores, stores.read_model.snapshot() as snapshot:
        forms = repositories_forms(list_repositories(snapshot))
    print_answer(forms, "json" if as_json else "txt")


@command.command("join")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@json_option
@data_option
def join(source: str, target: str, as_json: bool, data: Path | None) -> None:
    """Copy all records of FROM into TO; both are keys as `repositories list` shows them.

    Use it when a repository was imported by name and its id became known. The copies are recorded
    now: what was known before stays as it was. Joining again copies only what is new.

    \b
    Example:
      shipledger repositories join github.com/name:acme/widget github.com/1001
    """
    from services.authoring.joining import join as join_repositories
    from services.config.settings import load
    from services.stream.stores import open_stores

    with open_stores(load(data=data)) as stores:
        joined = join_repositories(stores.log, source, target, stores.clock(), stores.partition_of)
    if as_json:
        print_json(joined)
    else:
        say(f"{joined.copied} of {joined.records} records copied from {source} to {target}")
