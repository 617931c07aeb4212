"""`shipledger import`: git, files."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import InvalidQuestion
from events.identity import name_key
from services.cli.import_files import files
from services.cli.importing_archive import gharchive
from services.cli.importing_edition import edition
from services.cli.importing_roadmap import roadmap
from services.cli.options import data_option, json_option
from services.cli.printing import print_json, progress_bar
from services.cli.saying import say
from services.config.settings import load

if TYPE_CHECKING:
    from events.identity import RepositoryKey
    from services.config.repository import RepositorySettings
    from services.config.settings import Settings
    from services.intake.git import ContentsResult, ImportResult
    from services.stream.stores import Stores


@click.group("import")
def command() -> None:
    """Import history that GitHub did not send by webhook.

    \b
    Example:
      shipledger import git ./widget --repo acme/widget
    """


command.add_command(edition)
command.add_command(files)
command.add_command(gharchive)

command.add_command(roadmap)


@command.command("git")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--repo", "repository", required=True, metavar="OWNER/NAME")
@click.option(
    "--repo-id",
    type=click.IntRange(1, 2**53),
    help="GitHub's id of the repository, so that its webhooks go to the same place.",
)
@click.option("--host", help="The host, where it is not github.com.")
@click.option(
    "--branches",
    multiple=True,
    metavar="GLOB",
    help="Branches beside the default one into which pull requests are merged; may be repeated. "
    "Else those of shipledger.toml.",
)
@click.option("--default-branch", metavar="NAME", help="Where the clone does not say it rightly.")
@click.option("--allow-shallow", is_flag=True, help="Import a shallow clone, marked incomplete.")
@click.option(
    "--contents",
    is_flag=True,
    help="Read what the commits change too: which touch the format alone, and which are equal. The "
    "clone needs its blobs; the first time takes minutes for ten thousand commits.",
)
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
    contents: bool,
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
    from services.intake.git import import_git
    from services.stream.stores import open_stores

    chosen = load(data=data)
    configured = _configured(chosen, repository, repo_id, host)
    read = None
    with open_stores(chosen) as stores, progress_bar("Commits") as tell:
        result = import_git(
            path,
            log=stores.log,
            repository=configured.key,
            full_name=repository,
            clock=stores.clock,
            branches=branches or configured.branches.landing,
            default_branch=default_branch,
            allow_shallow=allow_shallow,
            progress=tell,
            partition=stores.partition_of(configured.key),
        )
        if contents:
            read = _read_contents(stores, path, configured.key)
        else:
            _compare_copies(stores, path, configured.key)
    if as_json:
        names = {"repository": repository, "key": configured.key}
        of_contents = {} if read is None else {"contents": msgspec.to_builtins(read)}
        print_json({**names, **msgspec.to_builtins(result), **of_contents})
    else:
        _tell(repository, configured.key, result)
        _tell_without_role(result, configured)
        if read is not None:
            _tell_contents(read, path)


def _configured(
    chosen: "Settings", repository: str, repo_id: int | None, host: str | None
) -> "RepositorySettings":
    """Return what is configured for the repository, under what was given in the call."""
    from services.config.repository import RepositorySettings

    configured = chosen.repository(repository) or RepositorySettings(name=repository)
    identity = {"id": repo_id, "host": host}
    changed = {name: value for name, value in identity.items() if value is not None}
    configured = msgspec.structs.replace(configured, **changed)
    try:
        name_key(configured.host, repository)
    except ValueError as error:
        raise InvalidQuestion(str(error)) from error
    return configured


def _read_contents(stores: "Stores", path: Path, key: "RepositoryKey") -> "ContentsResult":
    from services.intake.git import GitRepository, read_contents, recall

    with progress_bar("Contents") as tell:
        return read_contents(
            GitRepository(path),
            recall(stores.log, key, stores.partition_of(key)),
            log=stores.log,
            repository=key,
            clock=stores.clock,
            progress=tell,
        )


def _compare_copies(stores: "Stores", path: Path, key: "RepositoryKey") -> None:
    from services.intake.git import GitRepository, compare_copies, recall

    compare_copies(
        GitRepository(path),
        recall(stores.log, key, stores.partition_of(key)),
        log=stores.log,
        repository=key,
        clock=stores.clock,
    )


def _tell(repository: str, key: str, result: "ImportResult") -> None:
    landings = ", ".join(f"{count:,} by {how}" for how, count in result.recognised.items())
    seen = f"{result.requests:,} (landings: {landings})" if landings else "no new ones"
    say(f"{repository} ({key}): {result.commits:,} commits, {result.refs:,} refs changed")
    say(f"merged pull requests seen: {seen}")
    say(f"branches that count as landing: {', '.join(result.landing_branches)}")
    for reason in result.incomplete:
        say(f"incomplete: {reason}", err=True)
    if "/name:" in key:
        say(
            "The repository's id is not known, so it stands on its own; give --repo-id, or join it "
            "later with `shipledger repositories join`.",
            err=True,
        )
    month = _month_to_read(result.months, datetime.now(UTC).date())
    say(f"next: shipledger report {repository} --period {month}")


def _tell_without_role(result: "ImportResult", configured: "RepositorySettings") -> None:
    """Name the branches that count as landing here and that no answer looks into."""
    roles = configured.branches.roles().with_default(result.default_branch)
    unknown = [branch for branch in result.landing_branches if roles.role(branch) is None]
    if unknown:
        say(
            f"without a part in releases: {', '.join(unknown)}; give them one under "
            "[repositories.branches] of shipledger.toml",
            err=True,
        )


def _tell_contents(read: "ContentsResult", path: Path) -> None:
    say(
        f"contents: {read.judged:,} commits judged, {read.format_only:,} change the format alone; "
        f"patch ids of {read.patches:,} differences"
    )
    if read.without_blobs:
        say(
            f"left: {read.without_blobs:,}, as the clone lacks their blobs; fetch them with: "
            f"git -C {path} fetch --refetch --no-filter, and import again",
            err=True,
        )


def _month_to_read(months: Sequence[str], today: date) -> str:
    """Return the newest month that is over and holds a landing, else the newest that holds one.

    Where nothing new landed it is the month before this one.
    """
    last = f"{today.replace(day=1) - timedelta(days=1):%Y-%m}"
    over = [month for month in months if month <= last]
    return over[-1] if over else months[-1] if months else last
