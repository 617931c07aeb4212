"""What persons decide about releases, written to the log as records of their own."""

from collections.abc import Set
from typing import Any

from events.errors import InvalidQuestion
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.instant import Instant
from events.sources.authored import author as author_record
from projections.release_inclusion.queries import TAGS, aliases_at, refs_at
from projections.release_inclusion.view import HistoryCache
from projections.repositories.queries import find
from services.answers.releases.asking import release_question, release_settings
from services.answers.releases.context import open_releases
from services.answers.releases.reviews import decision, review_list
from services.answers.reports.wording import rfc3339
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
        aliases = aliases_at(
            snapshot, repo, known_at, release_settings(stores.settings, full_name).aliases
        )
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


def alias_documents(
    stores: Stores, full_name: str, known_at: Instant | None = None
) -> list[dict[str, Any]]:
    """Return what each alias means, as plain values for JSON."""
    with stores.read_model.snapshot() as snapshot:
        repo = find(snapshot, full_name).repo
        known = snapshot.watermark(repo).known_at(known_at)
        found = aliases_at(
            snapshot, repo, known, release_settings(stores.settings, full_name).aliases
        )
    return [
        {
            "alias": one.name,
            "tag": one.tag,
            "decided_at": rfc3339(one.decided_at),
            "author": one.author or None,
            "source": one.source or ("configuration" if one.decided_at is None else None),
            "reason": one.reason or None,
            "record": one.record_id,
        }
        for one in found.values()
    ]


def decide_mention(
    stores: Stores, full_name: str, name: str, *, holds: bool, author: str, reason: str
) -> MentionDecided:
    """Record that a mention of the review list holds, or does not."""
    question = release_question(stores.settings, full_name)
    now = stores.clock()
    with stores.read_model.snapshot() as snapshot:
        ground = open_releases(snapshot, question, HistoryCache())
        fact = decision(
            review_list(ground), name, holds=holds, author=author, reason=reason, now=now
        )
        repo = ground.asked.repo
    stores.log.append([author_record(repo, fact, time=now)])
    return fact
