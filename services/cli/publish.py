"""`shipledger publish`."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from events.errors import ConfigurationError
from services.cli.options import NUMBER, data_option, edition_options, shape_option
from services.cli.saying import say
from services.documents.forms import MEDIA_TYPES

if TYPE_CHECKING:
    from events.facts.editions import EditionPublished, Language
    from events.instant import Instant
    from services.answers.questions.question import Shape
    from services.authoring.publishing.publish import PublishingContext
    from services.stream.stores import Stores


@click.command("publish")
@click.argument("repository", metavar="OWNER/NAME")
@edition_options
@click.option(
    "--language",
    "languages",
    type=click.Choice(["en", "zh"]),
    multiple=True,
    default=("en",),
    show_default=True,
    help="May be repeated; two languages must say the same.",
)
@shape_option
@click.option(
    "--token-env",
    metavar="NAME",
    help="Publish as an issue: the environment variable with a token that may write issues.",
)
@click.option(
    "--issue-repo", metavar="OWNER/NAME", help="Where the issue is; else in the repository itself."
)
@click.option("--number", type=NUMBER, help="The issue, where it is known.")
@click.option("--new", is_flag=True, help="There is no issue yet: none is looked for.")
@click.option("--label", "labels", multiple=True, help="A label of the issue; may be repeated.")
@click.option("--api-url", metavar="URL", help="The address of the API, where it is another one.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Publish as files into this folder: text, Markdown, HTML, JSON, and the ledger as CSV.",
)
@click.option(
    "--with-gaps",
    is_flag=True,
    help="Publish although places wait for a person; never a Final one.",
)
@click.option("--send", is_flag=True, help="Do it; without, only say what would be done.")
@data_option
def command(
    repository: str,
    final: bool,
    author: str,
    languages: "tuple[Language, ...]",
    shape: "Shape",
    token_env: str | None,
    issue_repo: str | None,
    number: int | None,
    new: bool,
    labels: tuple[str, ...],
    api_url: str | None,
    out: Path | None,
    with_gaps: bool,
    send: bool,
    data: Path | None,
    **typed: str | None,
) -> None:
    """Publish the edition of a period as one issue for each language, as files, or both.

    Without --send it prints what would change and does nothing. An issue that somebody edited
    since is never overwritten. Mentions and references in it are made inert. What was published
    is recorded with its bytes and its receipt.

    \b
    Example:
      shipledger publish acme/widget --period 2026-07 --out reports --send
      shipledger publish acme/widget --period 2026-07 --token-env GITHUB_TOKEN --label report
    """
    from services.answers.editions.asking import edition_question
    from services.answers.editions.assemble import assemble_edition
    from services.answers.questions.builder import QuestionRequest
    from services.authoring.publishing.publish import PublishingContext, check_publishable
    from services.cli.answering import up_to_date

    if token_env is None and out is None:
        raise click.UsageError("say where: an issue (--token-env), files (--out), or both")
    where = _Where(
        out=out,
        token=None if token_env is None else _token(token_env),
        api_url=api_url,
        issue_repo=issue_repo,
        number=number,
        new=new,
        labels=labels,
        send=send,
    )
    request = QuestionRequest(repository=repository, **typed)
    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        question = edition_question(
            stores, snapshot, request, stage="final" if final else "", author=author
        )
        edition = assemble_edition(snapshot, question, stores.histories)
        if send:
            check_publishable(edition, languages, shape, with_gaps=with_gaps)
        _publish(PublishingContext(stores, snapshot, question, edition, shape), languages, where)
    if not send:
        say("nothing was done; add --send to do it", err=True)


class _Where(msgspec.Struct, frozen=True, kw_only=True):
    """Where an edition goes, and whether it is sent or only compared."""

    out: Path | None
    token: str | None
    api_url: str | None
    issue_repo: str | None
    number: int | None
    new: bool
    labels: tuple[str, ...]
    send: bool


def _publish(context: "PublishingContext", languages: "Sequence[Language]", where: _Where) -> None:
    stores = context.stores
    published: list[EditionPublished] = []
    try:
        if where.out is not None:
            published += _files(context, where.out, languages, where, stores.clock())
        if where.token is not None:
            for edition in _issues(stores, context, languages, where):
                published.append(edition)  # kept even where the next one fails
    finally:
        _record(stores, context, published)


def _record(
    stores: "Stores", context: "PublishingContext", published: "Sequence[EditionPublished]"
) -> None:

    from services.authoring.publishing.recording import record

    if not published:
        return
    repo, assignments = context.edition.report.repo, context.edition.unrecorded
    ids = record(stores.log, repo, published, assignments, stores.clock, stores.partition_of)
    for edition, record_id in zip(published, ids, strict=True):
        say(f"published {edition.place} ({edition.language}), record {record_id}")


def _files(
    context: "PublishingContext",
    folder: Path,
    languages: "Sequence[Language]",
    where: _Where,
    at: "Instant",
) -> "list[EditionPublished]":

    from services.authoring.publishing.files import plan_files
    from services.authoring.publishing.publish import publish_files

    files = plan_files(context.edition, folder, languages, MEDIA_TYPES, context.shape)
    for file in files:
        size = f"{len(file.text.encode()):,} bytes" if file.changes else "as it is"
        say(f"{folder / file.name}: {size}")
    return publish_files(context, folder, files, at) if where.send else []


def _issues(
    stores: "Stores", context: "PublishingContext", languages: "Sequence[Language]", where: _Where
) -> "Iterator[EditionPublished]":

    from events.identity import host_of
    from services.authoring.publishing.publish import publish_issue
    from services.intake.github import GitHubClient
    from services.intake.github.files import api_address
    from services.intake.github.issues import Issues

    if where.number is not None and len(languages) > 1:
        raise click.UsageError("--number names the issue of one language")
    if where.number is not None and where.new:
        raise click.UsageError("--number names an issue, and --new says that there is none")
    report = context.edition.report
    with GitHubClient(where.api_url or api_address(host_of(report.repo)), where.token) as client:
        issues = Issues(client, where.issue_repo or report.full_name)
        # all are looked at before any is sent: one that was edited stops them together
        drafts = [
            context.issue(issues, language, where.labels, where.number, new=where.new)
            for language in languages
        ]
        for draft in drafts:
            at = "" if draft.plan.number is None else f" #{draft.plan.number}"
            say(f"{issues.full_name}: {draft.plan.action}{at}: {draft.plan.title}")
            if draft.plan.difference:
                say(draft.plan.difference)
            if where.send and draft.plan.action != "nothing":
                yield publish_issue(context, issues, draft, stores.clock())


def _token(name: str) -> str:
    token = os.environ.get(name)
    if not token:
        raise ConfigurationError(f"the environment variable {name} is not set, or is empty")
    return token
