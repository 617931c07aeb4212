"""Keeping what was shown of issues, and what persons decided. Nothing is folded: all rows stay."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec
from sqlalchemy import Connection

from events.facts.base import Fact
from events.facts.issue import CommentObserved, IssueObserved, SubIssueObserved
from events.facts.roadmap import DriftAcknowledged, RoadmapImported, RoadmapItemDecided
from events.identity import RepositoryKey, body_digest
from projections.roadmap_status.issues import as_sighting, may_be_roadmap
from projections.roadmap_status.tables import RoadmapTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import take_earlier, unseen
from projections.store.observations import Row, encoded, insert_rows, rows_of, write_texts


class RoadmapStatus:
    """One generation of what roadmaps are answered from."""

    name: ClassVar[str] = "roadmap_status"
    version: ClassVar[int] = 4

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = RoadmapTables(generation)
        self.metadata = self.tables.metadata
        tables = self.tables
        self._stored = (tables.sightings, tables.comments, tables.parts, tables.decisions)

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        self._write(connection, unseen(connection, self._stored, batch))
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: every row carries its own K."""
        take_earlier(connection, self._stored, entry)
        self._write(connection, unseen(connection, self._stored, [entry]))

    def _write(self, connection: Connection, batch: Sequence[Translated]) -> None:
        tables = self.tables
        write_texts(connection, tables.texts, _texts(batch))
        for table, rows in (
            (tables.sightings, rows_of(batch, _sighting)),
            (tables.comments, rows_of(batch, _comment)),
            (tables.parts, rows_of(batch, _part)),
            (tables.decisions, rows_of(batch, _decision)),
        ):
            insert_rows(connection, table, rows)


def _texts(batch: Sequence[Translated]) -> dict[tuple[RepositoryKey, str], str]:
    return {
        (entry.repo, body_digest(text.encode())): text
        for entry in batch
        for fact in entry.facts
        for text in texts_in(fact)
    }


def text_of(fact: Fact) -> str | None:
    """Return the text that a fact shows; an issue without one shows an empty one."""
    match fact:
        case IssueObserved() | RoadmapImported():
            return fact.body or ""
        case CommentObserved(on_pull_request=False):
            return fact.body
        case _:
            return None


def texts_in(fact: Fact) -> Iterator[str]:
    """Yield every text that a fact names: the one that it shows, and the one before an edit."""
    text = text_of(fact)
    if text is not None:
        yield text
    if isinstance(fact, IssueObserved) and fact.body_from is not None:
        yield fact.body_from


def _sighting(entry: Translated, fact: Fact) -> Row | None:
    issue = as_sighting(fact)
    if issue is None:
        return None
    return {
        "number": issue.number,
        "digest": body_digest(entry.body),
        "at": issue.at,
        "text": _digest_of(fact),
        "titled": may_be_roadmap(issue),
        "fields": encoded(_without_texts(issue)),
    }


def _without_texts(issue: IssueObserved) -> IssueObserved:
    """Leave out the text, which has a column, and keep the digest of the one before."""
    before = issue.body_from
    digest = None if before is None else body_digest(before.encode())
    return msgspec.structs.replace(issue, body=None, body_from=digest)


def _comment(_: Translated, fact: Fact) -> Row | None:
    if not isinstance(fact, CommentObserved) or fact.on_pull_request:
        return None
    return {
        "number": fact.number,
        "comment_id": fact.comment_id,
        "at": fact.at,
        "text": _digest_of(fact),
        "fields": encoded(msgspec.structs.replace(fact, body=None)),
    }


def _part(_: Translated, fact: Fact) -> Row | None:
    if not isinstance(fact, SubIssueObserved):
        return None
    return {"number": fact.parent, "fields": encoded(fact)}


def _decision(_: Translated, fact: Fact) -> Row | None:
    match fact:
        case RoadmapItemDecided():
            kind = "item"
        case DriftAcknowledged():
            kind = "acknowledged"
        case _:
            return None
    return {"number": fact.number, "kind": kind, "fields": encoded(fact)}


def _digest_of(fact: Fact) -> str | None:
    text = text_of(fact)
    return None if text is None else body_digest(text.encode())
