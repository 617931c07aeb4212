"""Folding git, releases and decisions into rows. Only refs have two clocks of their own."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from events.facts.base import Fact
from events.facts.curation import MentionDecided, ReleaseAliasDecided
from events.facts.git import Commit, CommitsObserved, RefObserved, ReleaseObserved
from events.identity import RepositoryKey, body_digest
from events.instant import INF
from projections.release_inclusion.refs import RefFold, RefSighting, RefSpan
from projections.release_inclusion.tables import ReleaseTables
from projections.store.base import Poisoned, Translated
from projections.store.dedup import take_earlier, unseen
from projections.store.dialects import chunks
from projections.store.observations import Row, encoded, insert_rows, rows_of, rows_of_kind

_Key = tuple[RepositoryKey, str]


class ReleaseInclusion:
    """One generation of what releases are answered from."""

    name: ClassVar[str] = "release_inclusion"
    version: ClassVar[int] = 5

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.tables = ReleaseTables(generation)
        self.metadata = self.tables.metadata
        self._stored = (self.tables.sightings, self.tables.releases, self.tables.decisions)

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """See `Projection.apply`."""
        batch = unseen(connection, self._stored, batch)
        self._write_facts(connection, batch)
        self._fold_refs(connection, batch)
        return []

    def refold(self, connection: Connection, entry: Translated) -> None:
        """See `Projection.refold`: rows carry their own K; refs are folded from the start."""
        taken = take_earlier(connection, self._stored, entry)
        if not unseen(connection, self._stored, [entry]):
            return
        self._take_earlier_commits(connection, entry)
        self._write_facts(connection, [entry])
        sightings = rows_of([entry], _sighting)
        insert_rows(connection, self.tables.sightings, sightings)
        refs = {row["ref"] for row in sightings}
        for ref in refs | {row.ref for row in taken if hasattr(row, "ref")}:
            self._refold_ref(connection, (entry.repo, ref))

    def _take_earlier_commits(self, connection: Connection, entry: Translated) -> None:
        """Delete what later records say of commits and this one says alike: it was known before."""
        table = self.tables.commits
        for row in _commit_rows([entry]):
            same = [table.c[name] == row[name] for name in ("repo", "sha", "fields", "paths")]
            connection.execute(delete(table).where(*same, table.c.k > entry.k))

    def _write_facts(self, connection: Connection, batch: Sequence[Translated]) -> None:
        tables = self.tables
        insert_rows(connection, tables.commits, self._commits(connection, batch))
        insert_rows(connection, tables.releases, rows_of_kind(batch, ReleaseObserved, _release))
        insert_rows(connection, tables.decisions, rows_of(batch, _decision))

    def _commits(self, connection: Connection, batch: Sequence[Translated]) -> list[Row]:
        """Return the rows of commits that say something new: a commit never changes, but may be
        seen first at the edge of a shallow clone, without its parents and paths.
        """
        rows = _commit_rows(batch)
        known = self._known_commits(connection, rows)
        fresh: list[Row] = []
        for row in rows:
            key, content = (row["repo"], row["sha"]), (row["fields"], row["paths"])
            if content not in known[key]:
                known[key].add(content)
                fresh.append(row)
        return fresh

    def _known_commits(
        self, connection: Connection, rows: list[Row]
    ) -> defaultdict[_Key, set[tuple[str, str | None]]]:
        table = self.tables.commits
        known: defaultdict[_Key, set[tuple[str, str | None]]] = defaultdict(set)
        for repo in {row["repo"] for row in rows}:
            shas = sorted({row["sha"] for row in rows if row["repo"] == repo})
            for chunk in chunks(shas):
                stored = connection.execute(
                    select(table.c.sha, table.c.fields, table.c.paths).where(
                        table.c.repo == repo, table.c.sha.in_(chunk)
                    )
                )
                for sha, fields, paths in stored:
                    known[repo, sha].add((fields, paths))
        return known

    def _fold_refs(self, connection: Connection, batch: Sequence[Translated]) -> None:
        rows = rows_of(batch, _sighting)
        if not rows:
            return
        by_ref: dict[_Key, list[Row]] = defaultdict(list)
        for row in rows:
            by_ref[row["repo"], row["ref"]].append(row)
        sightings = self._load_sightings(connection, by_ref)
        known = self._load_spans(connection, by_ref)
        ended, begun = list[Row](), list[Row]()
        for key, fresh in by_ref.items():
            ending, beginning = _fold_ref(key, sightings[key], fresh, known[key])
            ended += ending
            begun += beginning
        self._end(connection, ended)
        insert_rows(connection, self.tables.refs, begun)
        insert_rows(connection, self.tables.sightings, rows)

    def _refold_ref(self, connection: Connection, key: _Key) -> None:
        table = self.tables.refs
        connection.execute(table.delete().where(table.c.repo == key[0], table.c.ref == key[1]))
        rows = [
            {
                "k": sighting.k,
                "idx": sighting.idx,
                "record_id": sighting.record_id,
                "digest": sighting.digest,
            }
            | {"fields": encoded(sighting.fact)}
            for sighting in self._load_sightings(connection, [key])[key]
        ]
        _, begun = _fold_ref(key, [], rows, {})
        insert_rows(connection, table, begun)

    def _load_sightings(
        self, connection: Connection, keys: Iterable[_Key]
    ) -> defaultdict[_Key, list[RefSighting]]:
        table = self.tables.sightings
        sightings: defaultdict[_Key, list[RefSighting]] = defaultdict(list)
        for repo in {repo for repo, _ in keys}:
            for chunk in chunks(sorted(ref for of, ref in keys if of == repo)):
                query = select(table).where(table.c.repo == repo, table.c.ref.in_(chunk))
                for row in connection.execute(query.order_by(table.c.k, table.c.idx)).mappings():
                    sightings[repo, row["ref"]].append(_read_sighting(row))
        return sightings

    def _load_spans(
        self, connection: Connection, keys: Iterable[_Key]
    ) -> defaultdict[_Key, dict[RefSpan, int]]:
        """Return the values of refs that are known now, each with since when."""
        table = self.tables.refs
        spans: defaultdict[_Key, dict[RefSpan, int]] = defaultdict(dict)
        for repo in {repo for repo, _ in keys}:
            for chunk in chunks(sorted(ref for of, ref in keys if of == repo)):
                query = select(table).where(
                    table.c.repo == repo, table.c.ref.in_(chunk), table.c.kt == INF
                )
                for row in connection.execute(query).mappings():
                    span = RefSpan(**{name: row[name] for name in RefSpan.__struct_fields__})
                    spans[repo, row["ref"]][span] = row["kf"]
        return spans

    def _end(self, connection: Connection, ended: list[Row]) -> None:
        table = self.tables.refs
        if ended:
            matches = [
                table.c[name] == bindparam(f"_{name}") for name in ("repo", "ref", "kf", "vf")
            ]
            connection.execute(update(table).where(*matches).values(kt=bindparam("_kt")), ended)


def _fold_ref(
    key: _Key, sightings: list[RefSighting], fresh: list[Row], known: dict[RefSpan, int]
) -> tuple[list[Row], list[Row]]:
    """Return the rows of values that end, and those that begin, when `fresh` sightings come in."""
    stored, ended, begun = dict(known), list[Row](), dict[tuple[int, RefSpan], int]()
    fold = RefFold(sightings, known)
    for k in sorted({row["k"] for row in fresh}):
        ending, beginning = fold.add([_read_sighting(row) for row in fresh if row["k"] == k])
        for span in ending:
            kf = known.pop(span)
            if stored.get(span) == kf:
                ended.append({"_repo": key[0], "_ref": key[1], "_kf": kf, "_vf": span.vf, "_kt": k})
            else:
                begun[kf, span] = k
        for span in beginning:
            known[span] = k
            begun[k, span] = INF
    rows = [
        {"repo": key[0], "ref": key[1], "kf": kf, "kt": kt, **msgspec.structs.asdict(span)}
        for (kf, span), kt in begun.items()
    ]
    return ended, rows


def _read_sighting(row: Any) -> RefSighting:
    return RefSighting(
        k=row["k"],
        idx=row["idx"],
        record_id=row["record_id"],
        digest=row["digest"],
        fact=msgspec.json.decode(row["fields"], type=RefObserved),
    )


def _sighting(entry: Translated, fact: Fact) -> Row | None:
    if not isinstance(fact, RefObserved):
        return None
    return {"ref": fact.ref, "digest": body_digest(entry.body), "fields": encoded(fact)}


def _commit_rows(batch: Iterable[Translated]) -> list[Row]:
    return [
        {
            "repo": entry.repo,
            "sha": commit.sha,
            "k": entry.k,
            "record_id": entry.record_id,
            "at": commit.committed_at,
            "fields": _without_paths(commit),
            "paths": None if commit.paths is None else msgspec.json.encode(commit.paths).decode(),
        }
        for entry in batch
        for fact in entry.facts
        if isinstance(fact, CommitsObserved)
        for commit in fact.commits
    ]


def _without_paths(commit: Commit) -> str:
    # the branch belongs to the period ledger's landings; here refs say what lies where
    bare = msgspec.structs.replace(commit, paths=None, branch=None)
    return encoded(bare)


def _release(fact: ReleaseObserved) -> Row:
    return {"release_id": str(fact.release_id)}


def _decision(_: Translated, fact: Fact) -> Row | None:
    match fact:
        case ReleaseAliasDecided():
            kind = "alias"
        case MentionDecided():
            kind = "mention"
        case _:
            return None
    return {"kind": kind, "fields": encoded(fact)}
