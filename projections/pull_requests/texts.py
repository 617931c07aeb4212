"""Keeping the texts of pull requests: each once, by its digest."""

from collections.abc import Mapping

from sqlalchemy import Connection

from events.facts.pull_request import PullRequestObserved
from events.identity import RepositoryKey, body_digest
from projections.pull_requests.tables import PullRequestTables
from projections.store.base import Translated
from projections.store.dialects import insert_absent


def text_digest(text: str | None) -> str | None:
    """Return the name of a text: its SHA-256 as 64 hex digits, empty for an empty one."""
    return body_digest(text.encode()) if text else text


def texts_in(entry: Translated) -> dict[tuple[RepositoryKey, str], str]:
    """Return the texts that an entry shows, by repository and digest."""
    return {
        (entry.repo, digest): text
        for fact in entry.facts
        if isinstance(fact, PullRequestObserved)
        for text in (fact.body, fact.body_from)
        if text and (digest := text_digest(text))
    }


def write_texts(
    connection: Connection,
    tables: PullRequestTables,
    texts: Mapping[tuple[RepositoryKey, str], str],
) -> None:
    """Store texts; those that are there stay."""
    rows = [
        {"repo": repo, "digest": digest, "text": text}
        for (repo, digest), text in sorted(texts.items())
    ]
    if rows:
        connection.execute(insert_absent(connection, tables.texts), rows)
