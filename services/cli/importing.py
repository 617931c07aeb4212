"""`shipledger import`: git."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from services.cli.options import data_option, json_option, print_json, progress_bar, settings

if TYPE_CHECKING:
    from services.git import ImportResult
    from services.settings import Settings


@click.group("import")
def command() -> None:
    """Import history that GitHub did not send by webhook.

    \b
    Example:
      shipledger import git ./widget --repo acme/widget
    """


@command.command("git")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--repo", "repository", required=True, metavar="OWNER/NAME")
@click.option(
    "--repo-id",
    type=click.IntRange(min=1),
    help="GitHub's id of the repository, so that its webhooks go to the same place.",
)
@click.option("--host", help="The host, where it is not github.com.")
@click.option(
    "--branches",
    multiple=True,
    metavar="GLOB",
    help="Branches beside the default one into which pull requests are merged; may be repeated.",
)
@click.option("--default-branch", metavar="NAME", help="Where the clone does not say it rightly.")
@click.option("--allow-shallow", is_flag=True, help="Import a shallow clone, marked incomplete.")
@json_option
@data_option
def git(
    path: Path,
    repository: str,
    repo_id: int | None,
    host: str | None,
    branches: tuple[str, ...],
    default_branch: str | None,
    allow_shallow: bool,
    as_json: bool,
    data: Path | None,
) -> None:
    """Import a local clone: commits, refs, and the pull requests that its history shows merged.

    Running it again imports only what is new. From git alone, merged counts are lower bounds and
    opened and closed are unknown; the report says so.

    \b
    Example:
      shipledger import git ./Megatron-LM --repo NVIDIA/Megatron-LM
    """
    from services.bootstrap import open_stores
    from services.git import import_git

    chosen = settings(data)
    key = _key(chosen, repository, repo_id, host)
    with open_stores(chosen) as stores, progress_bar("Commits") as tell:
        result = import_git(
            path,
            log=stores.log,
            repository=key,
            full_name=repository,
            clock=stores.clock,
            branches=branches,
            default_branch=default_branch,
            allow_shallow=allow_shallow,
            progress=tell,
        )
    if as_json:
        print_json({"repository": repository, "key": key, **msgspec.to_builtins(result)})
    else:
        _tell(repository, key, result)


def _key(chosen: "Settings", repository: str, repo_id: int | None, host: str | None) -> str:
    """Return the key: by the given id, the configured one, else by name."""
    from events.errors import InvalidQuestion
    from services.settings import RepositorySettings

    configured = chosen.repository(repository) or RepositorySettings(name=repository)
    if host is not None:
        configured = msgspec.structs.replace(configured, host=host)
    if repo_id is not None:
        configured = msgspec.structs.replace(configured, id=repo_id)
    try:
        return configured.key
    except ValueError as error:
        raise InvalidQuestion(str(error)) from error


def _tell(repository: str, key: str, result: "ImportResult") -> None:
    recognised = ", ".join(f"{count:,} by {how}" for how, count in result.recognised.items())
    click.echo(f"{repository} ({key}): {result.commits:,} commits, {result.refs:,} refs changed")
    click.echo(f"merged pull requests seen: {recognised or 'no new ones'}")
    click.echo(f"branches that count as landing: {', '.join(result.landing_branches)}")
    for reason in result.incomplete:
        click.echo(f"incomplete: {reason}", err=True)
    if "/name:" in key:
        click.echo(
            "The repository's id is not known, so it stands on its own; give --repo-id, or join it "
            "later with `shipledger repositories join`.",
            err=True,
        )
    click.echo(f"next: shipledger report {repository} --from 2026-07-01 --to 2026-08-01")
