"""What commits changed, and which commits a branch does not have, as known at K.

The whole graph is read as parents and dates only; nothing here builds a `History`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import Final, TypeAlias

import msgspec
from sqlalchemy import select

from events.facts.git import Commit
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.tables import ReleaseTables
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot


class RecordedCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit with its paths (None where they were never read) and the record that shows it."""

    commit: Commit
    record_id: str


class Link(msgspec.Struct, frozen=True):
    """Where a commit stands in history; both fields are those of `Commit`."""

    parents: tuple[str, ...]
    committed_at: Instant


Links: TypeAlias = Mapping[str, Link]


_commit: Final = msgspec.json.Decoder(Commit)
_paths: Final = msgspec.json.Decoder(tuple[str, ...])


def _sights(
    snapshot: Snapshot, repo: RepositoryKey, shas: Iterable[str], known_at: Instant
) -> dict[str, list[RecordedCommit]]:
    """Return what was recorded of each commit by K, oldest first."""
    table = snapshot.tables(ReleaseTables).commits
    columns = (table.c.k, table.c.sha, table.c.record_id, table.c.fields, table.c.paths)
    sights: dict[str, list[RecordedCommit]] = {}
    for chunk in chunks(sorted(set(shas))):
        query = select(*columns).where(
            table.c.repo == repo, table.c.sha.in_(chunk), table.c.k <= known_at
        )
        # sorted here: with an order by K, SQLite would walk the index of all commits
        rows = sorted(snapshot.connection.execute(query).all(), key=itemgetter(0))
        for _, sha, record_id, fields, paths in rows:
            commit = _commit.decode(fields)
            if paths is not None:
                commit = msgspec.structs.replace(commit, paths=_paths.decode(paths))
            sight = RecordedCommit(commit=commit, record_id=record_id)
            sights.setdefault(sha, []).append(sight)
    return sights


def _telling(sights: Sequence[RecordedCommit]) -> RecordedCommit:
    """Return the last sight, before all the last that shows the paths."""
    with_paths = [sight for sight in sights if sight.commit.paths is not None]
    return (with_paths or sights)[-1]


def links_at(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> dict[str, Link]:
    """Return the graph of all commits; of each the last sight."""
    table = snapshot.tables(ReleaseTables).commits
    query = select(table.c.sha, table.c.fields).where(table.c.repo == repo, table.c.k <= known_at)
    decoder = msgspec.json.Decoder(Link)
    rows = snapshot.connection.execute(query.order_by(table.c.k))
    return {sha: decoder.decode(fields) for sha, fields in rows}


def ancestors(links: Links, tip: str) -> set[str]:
    """Return a commit and all that it is built on, as far as it is known."""
    reached: set[str] = set()
    stack = [tip]
    while stack:
        sha = stack.pop()
        if sha not in reached:
            reached.add(sha)
            stack += links[sha].parents if sha in links else ()
    return reached


def beyond(links: Links, head: str, without: set[str]) -> list[str] | None:
    """Return what a head is built on and `without` does not hold, newest first.

    None where part of that history is not known.
    """
    own: dict[str, None] = {}
    stack = [head]
    while stack:
        sha = stack.pop()
        if sha in own or sha in without:
            continue
        if sha not in links:
            return None
        own[sha] = None
        stack += links[sha].parents
    return list(own)


def past_tip(links: Links, tip: str, as_of: Instant) -> str | None:
    """Return where a branch stood at T by its first-parent line; None: it was not there yet.

    Each commit of the line is dated by the greatest committer date up to it, as in
    `tips.reconstructed`: clocks of committers run backwards now and then.
    """
    line = list(_line(links, tip))
    dates = list(accumulate((links[sha].committed_at for sha in reversed(line)), max))
    place = bisect_right(dates, as_of) - 1
    return line[len(line) - 1 - place] if place >= 0 else None


def _line(links: Links, tip: str) -> Iterator[str]:
    sha: str | None = tip
    while sha is not None and sha in links:
        yield sha
        sha = next(iter(links[sha].parents), None)


class CommitReader:
    """Commits of one repository at one K; the graph is read once, and only where it is needed."""

    def __init__(self, snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> None:
        self.snapshot, self.repo, self.known_at = snapshot, repo, known_at
        self._read: dict[str, Sequence[RecordedCommit]] = {}

    @cached_property
    def links(self) -> Links:
        """The graph of all commits."""
        return links_at(self.snapshot, self.repo, self.known_at)

    def recorded(self, shas: Iterable[str]) -> dict[str, RecordedCommit]:
        """Return some commits, with their paths."""
        return {sha: _telling(sights) for sha, sights in self._sights(shas)}

    def newest(self, shas: Iterable[str]) -> dict[str, RecordedCommit]:
        """Return the last sight of some commits, whether or not it shows their paths."""
        return {sha: sights[-1] for sha, sights in self._sights(shas)}

    def _sights(self, shas: Iterable[str]) -> Iterator[tuple[str, Sequence[RecordedCommit]]]:
        """Yield what is recorded of some commits; none is read twice."""
        wanted = dict.fromkeys(shas)
        unread = wanted.keys() - self._read.keys()
        if unread:
            self._read |= dict.fromkeys(unread, ())
            self._read |= _sights(self.snapshot, self.repo, unread, self.known_at)
        return ((sha, sights) for sha in wanted if (sights := self._read[sha]))
