"""What persons decide about releases, written to the log as records of their own."""

from collections.abc import Set

import msgspec

from events.errors import InvalidQuestion
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.instant import Instant
from events.sources.authored import author as author_record
from projections.release_inclusion.queries import TAGS, aliases_at, refs_at
from projections.repositories.queries import find
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.releases.context import open_releases
from services.answers.releases.reviews import decisions, review_list
from services.answers.reports.wording import rfc3339
from services.documents.forms import Forms
from services.documents.model import Column, Document, Table
from services.stream.stores import Stores


def decide_alias(
    stores: Stores,
    full_name: str,
    alias: str,
    tag: str | None,
    *,
    author: str,
    source: str,
    reason: str,
) -> ReleaseAliasDecided:
    """Record which tag a name means, None for nothing; the read model must be up to date.

    Raise InvalidQuestion for a tag that is not there, a name that is itself a tag, or the removal
    of a name that means nothing.
    """
    tag = None if tag is None else tag.removeprefix(TAGS)
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
        known_at = snapshot.watermark(repo).last_recorded
        tags = {name.removeprefix(TAGS) for name in refs_at(snapshot, repo, known_at, known_at)}
        aliases = aliases_at(snapshot, repo, known_at, _configured(stores, full_name))
    _check(alias, tag, tags, aliases.keys())
    now = stores.clock()
    fact = ReleaseAliasDecided(
        alias=alias, tag=tag, decided_at=now, author=author, source=source, reason=reason
    )
    stores.log.append([author_record(repo, fact, time=now)])
    return fact


def _check(alias: str, tag: str | None, tags: Set[str], aliases: Set[str]) -> None:
    if not alias.strip() or alias in tags:
        raise InvalidQuestion(f"{alias!r} cannot be an alias: it is empty, or itself a tag")
    if tag is not None and tag not in tags:
        raise InvalidQuestion(f"no tag {tag} is recorded; `shipledger releases` lists those")
    if tag is None and alias not in aliases:
        raise InvalidQuestion(f"{alias} is no alias; `shipledger release alias list` lists them")


class AliasAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a name means: since when, by whom, and where that is written."""

    alias: str
    tag: str
    decided_at: str | None
    author: str | None
    source: str | None
    reason: str | None
    record: str | None


class AliasesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What each alias means."""

    aliases: tuple[AliasAnswer, ...]


def aliases_forms(stores: Stores, full_name: str, known_at: Instant | None = None) -> Forms:
    """Return what each alias means, in its forms."""
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
        cut = snapshot.watermark(repo).known_at(known_at)
        aliases = aliases_at(snapshot, repo, cut, _configured(stores, full_name)).values()
    listed = tuple(
        AliasAnswer(
            alias=alias.name,
            tag=alias.tag,
            decided_at=rfc3339(alias.decided_at),
            author=alias.author or None,
            source=alias.source or ("configuration" if alias.decided_at is None else None),
            reason=alias.reason or None,
            record=alias.record_id,
        )
        for alias in aliases
    )
    columns = tuple(map(Column, ("alias", "tag", "decided_at", "author", "source")))
    rows = tuple(
        (alias.alias, alias.tag, alias.decided_at or "-", alias.author or "-", alias.source or "-")
        for alias in listed
    )
    return Forms(
        document=lambda: Document(title="Aliases", blocks=(Table(columns, rows),)),
        answer=lambda: AliasesAnswer(aliases=listed),
    )


def _configured(stores: Stores, full_name: str) -> dict[str, str]:
    configured = stores.settings.repository(full_name)
    return {} if configured is None else configured.releases.aliases


def decide_mention(
    stores: Stores, full_name: str, name: str, *, holds: bool, author: str, reason: str
) -> MentionDecided:
    """Record that a mention of the review list holds, or does not."""
    question = QuestionBuilder(stores.settings).repository(QuestionRequest(repository=full_name))
    now = stores.clock()
    with stores.read_model.snapshot() as snapshot:
        releases = open_releases(snapshot, question, stores.histories)
        facts = decisions(
            review_list(releases), name, holds=holds, author=author, reason=reason, now=now
        )
        repo = releases.asked.repo
    stores.log.append([author_record(repo, fact, time=now) for fact in facts])
    return facts[0]
