"""`shipledger import gharchive`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import ConfigurationError
from services.cli.options import data_option, json_option
from services.cli.printing import print_json, progress_bar
from services.cli.saying import say
from services.config.settings import load

if TYPE_CHECKING:
    from services.config.settings import Settings
    from services.intake.archive import ArchiveResult, Tracked
    from services.stream.stores import Stores

_MOST_GAPS = 10


@click.command("gharchive")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--repo",
    "repositories",
    multiple=True,
    metavar="OWNER/NAME",
    help="Which repositories; may be repeated. Else those of shipledger.toml.",
)
@click.option(
    "--repo-id",
    type=click.IntRange(1, 2**53),
    help="GitHub's id of the one repository that is named, so that its webhooks go to the same "
    "place and its events are found under former names.",
)
@json_option
@data_option
def gharchive(
    files: tuple[Path, ...],
    repositories: tuple[str, ...],
    repo_id: int | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Import events from hourly files of GH Archive (2015 and later) that lie on this disk.

    Files may come in any order and again; hours that are missing between them, empty or cut off are
    named as gaps. Since October 2025 events no longer show how a request ended: a close is counted
    as one of unknown outcome, and a merge as unconfirmed, until another source shows it.

    \b
    Example:
      shipledger import gharchive 2020-08-*.json.gz --repo acme/widget
    """
    from services.intake.archive import import_archive
    from services.stream.stores import open_stores

    chosen = load(data=data)
    with open_stores(chosen) as stores, progress_bar("Files") as tell:
        tracked = _tracked(chosen, stores, repositories, repo_id)
        result = import_archive(files, tracked, log=stores.log, clock=stores.clock, progress=tell)
    if as_json:
        print_json(msgspec.to_builtins(result))
    else:
        _tell(result, tracked)


def _tracked(
    chosen: "Settings", stores: "Stores", names: tuple[str, ...], repo_id: int | None
) -> "list[Tracked]":
    from services.config.repository import RepositorySettings
    from services.intake.archive import Tracked

    configured = [
        chosen.repository(name) or RepositorySettings(name=name) for name in names
    ] or list(chosen.decided.repositories)
    if not configured:
        raise ConfigurationError(
            "no repository is named: give --repo OWNER/NAME, or [[repositories]] in shipledger.toml"
        )
    if repo_id is not None:
        if len(configured) > 1:
            raise ConfigurationError("--repo-id is of one repository, and several are named")
        configured = [msgspec.structs.replace(configured[0], id=repo_id)]
    return [
        Tracked(
            full_name=repository.name,
            key=repository.key,
            partition=stores.partition_of(repository.key),
            id=repository.id,
        )
        for repository in configured
    ]


def _tell(result: "ArchiveResult", tracked: "list[Tracked]") -> None:
    names = ", ".join(repository.full_name for repository in tracked)
    say(
        f"{result.files} files, {result.events:,} events; of {names}: {result.stored:,} recorded, "
        f"{result.repeated:,} known before"
    )
    for start, end, reason in result.gaps[:_MOST_GAPS]:
        say(f"not known: {start} until {end}: {reason}")
    if len(result.gaps) > _MOST_GAPS:
        say(f"and {len(result.gaps) - _MOST_GAPS} more such spans (--json lists all)")
    for repository in tracked:
        known = result.ids.get(repository.full_name)
        if known is None:
            say(f"{repository.full_name} is in none of the files under this name.")
        elif repository.id is None:
            say(
                f"GitHub's id of {repository.full_name} is {known}; give --repo-id {known} (or id "
                "in shipledger.toml), so that its webhooks go to the same place."
            )
    say("next: shipledger report OWNER/NAME --period 2020-08")
