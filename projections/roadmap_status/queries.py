"""What is known at K of issues, their texts, comments and parts, and of persons' decisions."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec
from sqlalchemy import RowMapping, Table, select

from events.facts.issue import CommentObserved, IssueObserved, SubIssueObserved
from events.facts.roadmap import DriftAcknowledged, RoadmapItemDecided
from events.identity import RepositoryKey
from events.instant import Instant
from projections.roadmap_status.issues import Sighting, with_what_was_before
from projections.roadmap_status.reading import Reference, TargetKind
from projections.roadmap_status.tables import RoadmapTables
from projections.store.dialects import chunks
from projections.store.observations import read_texts
from projections.store.snapshot import Snapshot

_issue = msgspec.json.Decoder(IssueObserved)
_comment = msgspec.json.Decoder(CommentObserved)


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    """A comment as it stood at a point."""

    comment_id: int
    at: Instant
    author: str | None
    text: str
    record_id: str


class Decisions(msgspec.Struct, frozen=True):
    """What persons decided about one roadmap, each with the record that holds it."""

    items: tuple[tuple[str, RoadmapItemDecided], ...] = ()
    acknowledged: tuple[tuple[str, DriftAcknowledged], ...] = ()


def candidates(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[int]:
    """Return the issues that ever said of themselves that they are a roadmap, ascending."""
    table = snapshot.tables(RoadmapTables).sightings
    query = (
        select(table.c.number)
        .distinct()
        .where(table.c.repo == repo, table.c.titled, table.c.k <= known_at)
    )
    return sorted(snapshot.connection.scalars(query))


def every(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[int]:
    """Return every issue that was ever seen, ascending: for patterns of a person's own."""
    table = snapshot.tables(RoadmapTables).sightings
    query = select(table.c.number).distinct().where(table.c.repo == repo, table.c.k <= known_at)
    return sorted(snapshot.connection.scalars(query))


def sightings_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> dict[int, list[Sighting]]:
    """Return what was shown of some issues, by number; numbers that are no issues are left out."""
    sightings: dict[int, list[Sighting]] = defaultdict(list)
    for row in _rows(snapshot, snapshot.tables(RoadmapTables).sightings, repo, numbers, known_at):
        sightings[row["number"]].append(_read_sighting(row))
    return {number: with_what_was_before(shown) for number, shown in sightings.items()}


def texts_of(snapshot: Snapshot, repo: RepositoryKey, digests: Iterable[str]) -> dict[str, str]:
    """Return texts by their digests."""
    table = snapshot.tables(RoadmapTables).texts
    return read_texts(snapshot.connection, table, repo, digests)


def comments_of(
    snapshot: Snapshot, repo: RepositoryKey, number: int, as_of: Instant, known_at: Instant
) -> list[Comment]:
    """Return the comments of an issue that stood at a point, oldest first."""
    newest: dict[int, tuple[CommentObserved, RowMapping]] = {}
    rows = _rows(snapshot, snapshot.tables(RoadmapTables).comments, repo, [number], known_at)
    read = [(_comment.decode(row["fields"]), row) for row in rows]
    for fact, row in sorted(
        read, key=lambda comment: (comment[0].at, comment[0].kind == "deleted", repr(comment))
    ):
        if fact.at <= as_of:
            newest[fact.comment_id] = (fact, row)
    standing = [(fact, row) for fact, row in newest.values() if row["text"] is not None]
    texts = texts_of(snapshot, repo, (row["text"] for _, row in standing))
    comments = [
        Comment(
            comment_id=fact.comment_id,
            at=fact.created_at,
            author=fact.author,
            text=texts[row["text"]],
            record_id=row["record_id"],
        )
        for fact, row in standing
    ]
    return sorted(comments, key=lambda comment: (comment.at, comment.comment_id))


def parts_of(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, tuple[Reference, ...]]:
    """Return the sub-issues of some issues at a point, each once; no issue is a part of itself."""
    rows = _rows(snapshot, snapshot.tables(RoadmapTables).parts, repo, numbers, known_at)
    facts = [msgspec.json.decode(row["fields"], type=SubIssueObserved) for row in rows]
    linked: dict[tuple[int, str, int], bool] = {}
    for fact in sorted(facts, key=lambda fact: (fact.at, not fact.linked, fact.child)):
        itself = fact.repository is None and fact.parent == fact.child
        if fact.at <= as_of and not itself:
            linked[fact.parent, fact.repository or "", fact.child] = fact.linked
    children: dict[int, list[Reference]] = defaultdict(list)
    for (parent, repository, child), holds in sorted(linked.items()):
        if holds:
            children[parent].append(Reference(child, repository or None, TargetKind.ISSUE))
    return {parent: tuple(parts) for parent, parts in children.items()}


def decisions_of(
    snapshot: Snapshot, repo: RepositoryKey, number: int, known_at: Instant
) -> Decisions:
    """Return what persons decided about a roadmap by K, in the order of the decisions."""
    items: list[tuple[str, RoadmapItemDecided]] = []
    acknowledged: list[tuple[str, DriftAcknowledged]] = []
    for row in _rows(snapshot, snapshot.tables(RoadmapTables).decisions, repo, [number], known_at):
        if row["kind"] == "item":
            item = msgspec.json.decode(row["fields"], type=RoadmapItemDecided)
            items.append((row["record_id"], item))
        else:
            quiet = msgspec.json.decode(row["fields"], type=DriftAcknowledged)
            acknowledged.append((row["record_id"], quiet))
    return Decisions(
        tuple(sorted(items, key=lambda recorded: (recorded[1].decided_at, recorded[0]))),
        tuple(sorted(acknowledged, key=lambda recorded: (recorded[1].decided_at, recorded[0]))),
    )


def _rows(
    snapshot: Snapshot, table: Table, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> list[RowMapping]:
    all_rows: list[RowMapping] = []
    for chunk in chunks(sorted(set(numbers))):
        query = select(table).where(
            table.c.repo == repo, table.c.number.in_(chunk), table.c.k <= known_at
        )
        rows = snapshot.connection.execute(query.order_by(table.c.number, table.c.k, table.c.idx))
        all_rows += rows.mappings()
    return all_rows


def _read_sighting(row: RowMapping) -> Sighting:
    return Sighting(
        k=row["k"],
        idx=row["idx"],
        record_id=row["record_id"],
        digest=row["digest"],
        text=row["text"],
        fact=_issue.decode(row["fields"]),
    )
