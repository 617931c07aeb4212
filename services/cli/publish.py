"""`shipledger publish`."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.errors import ConfigurationError
from services.cli.options import data_option
from services.cli.period_options import period_options, shape_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.facts.editions import EditionPublished, Language
    from events.instant import Instant
    from services.answers.questions.question import Shape, Stage
    from services.authoring.publishing.publish import PublishingContext
    from services.stream.stores import Stores


@click.command("publish")
@click.argument("repository", metavar="OWNER/NAME")
@period_options
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
@click.option("--number", type=click.IntRange(min=1), help="The issue, where it is known.")
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
    named: str | None,
    releases: str | None,
    tz: str | None,
    final: bool,
    author: str,
    languages: tuple["Language", ...],
    shape: str,
    token_env: str | None,
    issue_repo: str | None,
    number: int | None,
    labels: tuple[str, ...],
    api_url: str | None,
    out: Path | None,
    with_gaps: bool,
    send: bool,
    data: Path | None,
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
    if token_env is None and out is None:
        raise click.UsageError("say where: an issue (--token-env), files (--out), or both")
    where = _Where(
        out=out,
        token=None if token_env is None else _token(token_env),
        api_url=api_url,
        issue_repo=issue_repo,
        number=number,
        labels=labels,
        send=send,
    )
    _publish(
        *(repository, data, languages, where),
        shape="inline" if shape == "inline" else "seed",
        asked=(named, releases, tz),
        stage="final" if final else "",
        author=author,
        with_gaps=with_gaps,
    )
    if not send:
        click.echo("nothing was done; add --send to do it", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Where an edition goes, and whether it is sent or only compared."""

    out: Path | None
    token: str | None
    api_url: str | None
    issue_repo: str | None
    number: int | None
    labels: tuple[str, ...]
    send: bool


def _publish(
    repository: str,
    data: Path | None,
    languages: "Sequence[Language]",
    where: _Where,
    *,
    shape: "Shape",
    asked: tuple[str | None, str | None, str | None],
    stage: "Stage",
    author: str,
    with_gaps: bool,
) -> None:
    from projections.release_inclusion.view import HistoryCache
    from services.answers.editions.asking import named_question
    from services.answers.editions.assemble import assemble_edition
    from services.authoring.publishing.publish import PublishingContext, check_publishable
    from services.cli.answering import up_to_date

    named, releases, tz = asked
    with up_to_date(data) as stores, stores.read_model.snapshot() as snapshot:
        question = named_question(
            *(snapshot, stores.settings, repository),
            named=named,
            releases=releases,
            zone=tz or stores.settings.zone(repository),
            stage=stage,
            author=author,
        )
        edition = assemble_edition(snapshot, question, HistoryCache())
        if where.send:
            check_publishable(edition, languages, shape, with_gaps=with_gaps)
        desk = PublishingContext(stores, snapshot, question, edition, shape)
        published: list[EditionPublished] = []
        try:
            if where.out is not None:
                published += _files(desk, where.out, languages, where, stores.clock())
            if where.token is not None:
                for one in _issues(stores, desk, languages, where):
                    published.append(one)  # kept even where the next one fails
        finally:
            _record(stores, desk, published)


def _record(
    stores: "Stores", desk: "PublishingContext", published: "Sequence[EditionPublished]"
) -> None:
    from services.authoring.publishing.recording import record

    if not published:
        return
    repo, made = desk.edition.report.repo, desk.edition.assignments
    ids = record(stores.log, repo, published, made, stores.clock, stores.partition_of)
    for one, record_id in zip(published, ids, strict=True):
        click.echo(f"published {one.place} ({one.language}), record {record_id}")


def _files(
    desk: "PublishingContext",
    folder: Path,
    languages: "Sequence[Language]",
    where: _Where,
    at: "Instant",
) -> "list[EditionPublished]":
    from services.answers.editions.formats import FORMATS
    from services.authoring.publishing.files import plan_files
    from services.authoring.publishing.publish import publish_files

    found = plan_files(desk.edition, folder, languages, FORMATS, desk.shape)
    for one in found:
        said = f"{len(one.text.encode()):,} bytes" if one.changes else "as it is"
        click.echo(f"{folder / one.name}: {said}")
    return publish_files(desk, folder, found, at) if where.send else []


def _issues(
    stores: "Stores", desk: "PublishingContext", languages: "Sequence[Language]", where: _Where
) -> "Iterator[EditionPublished]":
    from events.identity import host_of
    from services.authoring.publishing.publish import publish_issue
    from services.intake.github import GitHubClient
    from services.intake.github.files import api_address
    from services.intake.github.issues import Issues

    if where.number is not None and len(languages) > 1:
        raise click.UsageError("--number names the issue of one language")
    report = desk.edition.report
    with GitHubClient(where.api_url or api_address(host_of(report.repo)), where.token) as client:
        issues = Issues(client, where.issue_repo or report.full_name)
        # all are looked at before any is sent: one that was edited stops them together
        drafts = [desk.issue(issues, each, where.labels, where.number) for each in languages]
        for draft in drafts:
            at = "" if draft.plan.number is None else f" #{draft.plan.number}"
            click.echo(f"{issues.full_name}: {draft.plan.action}{at}: {draft.plan.title}")
            if draft.plan.difference:
                click.echo(draft.plan.difference)
            if where.send and draft.plan.action != "nothing":
                yield publish_issue(desk, issues, draft, stores.clock())


def _token(name: str) -> str:
    token = os.environ.get(name)
    if not token:
        raise ConfigurationError(f"the environment variable {name} is not set, or is empty")
    return token
