"""`shipledger release alias`: add, remove, list."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.errors import InvalidQuestion
from services.cli.options import asking_options, data_option, json_option, known_at_option
from services.cli.printing import print_answer
from services.cli.saying import say

if TYPE_CHECKING:
    from services.stream.stores import Stores

_repo_option = click.option(
    "--repo", "repository", metavar="OWNER/NAME", help="May be left out where only one is recorded."
)
_author_option = click.option("--author", help="Who says so; else the name of the user.")
_reason_option = click.option("--reason", default="", help="Why.")


@click.group("alias")
def alias() -> None:
    """Say which tag readers mean by a name. Each statement is a record, undone by a later one.

    \b
    Example:
      shipledger release alias add 26.08 core_v0.19.0 --source https://example.org/versions
      shipledger release alias list
    """


@alias.command("add")
@click.argument("name", metavar="ALIAS")
@click.argument("tag")
@click.option("--source", required=True, metavar="URL", help="Where it is written.")
@_repo_option
@_author_option
@_reason_option
@data_option
def add(
    name: str,
    tag: str,
    source: str,
    repository: str | None,
    author: str | None,
    reason: str,
    data: Path | None,
) -> None:
    """Let ALIAS mean TAG from now on, wherever a tag can be named.

    \b
    Example:
      shipledger release alias add 26.08 core_v0.19.0 --source https://example.org/versions
    """
    from services.authoring.releases import decide_alias
    from services.cli.answering import up_to_date, whoever

    with up_to_date(data) as stores:
        chosen = _only(stores, repository)
        decided = decide_alias(
            stores, chosen, name, tag, author=author or whoever(), source=source, reason=reason
        )
    say(f"{name} means {decided.tag} in {chosen} ({source})")


@alias.command("remove")
@click.argument("name", metavar="ALIAS")
@click.option("--source", default="", metavar="URL", help="Where it is written.")
@_repo_option
@_author_option
@_reason_option
@data_option
def remove(
    name: str,
    source: str,
    repository: str | None,
    author: str | None,
    reason: str,
    data: Path | None,
) -> None:
    """Let ALIAS mean nothing from now on. What was asked before keeps its answer at --known-at.

    \b
    Example:
      shipledger release alias remove 26.08
    """
    from services.authoring.releases import decide_alias
    from services.cli.answering import up_to_date, whoever

    with up_to_date(data) as stores:
        chosen = _only(stores, repository)
        decide_alias(
            stores, chosen, name, None, author=author or whoever(), source=source, reason=reason
        )
    say(f"{name} means nothing any more in {chosen}")


@alias.command("list")
@_repo_option
@known_at_option
@json_option
@asking_options
def list_all(
    repository: str | None, known_at: str | None, as_json: bool, data: Path | None
) -> None:
    """List what each alias means, since when, and who said so where.

    \b
    Example:
      shipledger release alias list --json
    """
    from services.answers.questions.period import moment
    from services.authoring.releases import aliases_forms
    from services.cli.answering import asked

    known = None if known_at is None else moment(known_at)
    with asked(data) as stores:
        forms = aliases_forms(stores, _only(stores, repository), known)
    print_answer(forms, "json" if as_json else "txt")


def _only(stores: "Stores", repository: str | None) -> str:
    """Return the repository that is meant; raise InvalidQuestion where that is not clear."""
    from projections.repositories.queries import listing

    if repository is not None:
        return repository
    with stores.read_model.snapshot() as snapshot:
        names = [repository.full_name for repository in listing(snapshot)]
    if len(names) != 1:
        listed = ", ".join(names) or "none"
        raise InvalidQuestion(f"say which repository is meant with --repo; recorded are: {listed}")
    return names[0]
