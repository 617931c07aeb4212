"""Where branches stood, as far as git tells: the long-lived ones, and those not yet seen then."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter

import msgspec
from sqlalchemy import and_, func, select

from events.facts.git import RefObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.graph import Node
from projections.release_inclusion.history.lines import BranchLine
from projections.release_inclusion.queries import HEADS, RefValue, commits_named, ref_value
from projections.release_inclusion.tables import ReleaseTables
from projections.repositories.branch_roles import MAIN, BranchRoles
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot


def long_lived(refs: Sequence[RefValue], roles: BranchRoles) -> dict[str, str]:
    """Return the branches with a part to play, main ones first, then by name: name -> commit."""
    branches = [ref for ref in refs if ref.ref.startswith(HEADS)]
    groups = (MAIN, "dev", "release")
    placed = [(groups.index(role), ref) for ref in branches if (role := roles.role(ref.name))]
    ordered = sorted(placed, key=lambda pair: (pair[0], pair[1].name))
    return {ref.name: ref.sha for _, ref in ordered}


def main_tips(
    refs: Mapping[str, RefValue], first: Mapping[str, RefValue], roles: BranchRoles
) -> dict[str, str]:
    """Return the commit of each main branch, of those not yet seen the first one: ref -> commit."""
    known = {**refs, **first}
    return {name: ref.sha for name, ref in known.items() if roles.role(ref.name) == MAIN}


class PastTips:
    """Where branches stood before they were first seen, as far as their history tells.

    The first-parent commits of a branch are its past tips, each dated by the greatest committer
    date up to it (clocks of committers run backwards now and then). What it shares with the line of
    a main branch (`mains`: ref -> commit) is from before it was cut: then there was no such branch.
    Each line is walked once, for all moments that are asked for.
    """

    def __init__(self, attribution: Attribution, mains: Mapping[str, str]) -> None:
        self._graph, self._dates = attribution.graph, attribution.committed_at
        self._mains = mains
        self._lines = [
            BranchLine(self._graph, tip, attribution.chains)
            for tip in mains.values()
            if tip in self._graph
        ]
        self._past: dict[tuple[str, str], tuple[list[Node], list[Instant]]] = {}

    def at(self, first: Mapping[str, RefValue], as_of: Instant) -> dict[str, RefValue]:
        """Return the values at T of the branches of which `first` is the oldest that is known."""
        values: dict[str, RefValue] = {}
        for ref, value in first.items():
            own, since = self._line(ref, value.sha)
            place = bisect_right(since, as_of) - 1
            if place >= 0:
                values[ref] = RefValue(
                    ref=ref,
                    sha=self._graph.sha(own[place]),
                    at=since[place],
                    evidence="reconstructed",
                    record_id=value.record_id,
                )
        return values

    def _line(self, ref: str, tip: str) -> tuple[list[Node], list[Instant]]:
        """Return a branch's own commits, oldest first, and since when each was its tip."""
        known = self._past.get((ref, tip))
        if known is None:
            own = [*self._own_line(tip, [] if ref in self._mains else self._lines)]
            own.reverse()
            known = own, list(accumulate((self._dates[node] for node in own), max))
            self._past[ref, tip] = known
        return known

    def _own_line(self, tip: str, lines: Sequence[BranchLine]) -> Iterator[Node]:
        """Yield a commit and its known first parents, newest first, down to one of the lines."""
        graph = self._graph
        node = graph.node(tip) if tip in graph else None
        while node is not None and not any(line.passes(node) for line in lines):
            yield node
            parents = graph.parents(node)
            node = parents[0] if parents and graph.sha(parents[0]) in graph else None


def first_values(
    snapshot: Snapshot, repo: RepositoryKey, as_of: Instant, known_at: Instant
) -> dict[str, RefValue]:
    """Return where each branch stood before its oldest known value, if that is after a point.

    A push says where; of any other sight it is the value itself. A branch that a push created is
    left out: it was not there before.
    """
    table = snapshot.tables(ReleaseTables).refs
    known = and_(table.c.repo == repo, table.c.kf <= known_at, table.c.kt > known_at)
    oldest = (
        select(table.c.ref, func.min(table.c.vf).label("vf"))
        .where(known, table.c.ref.startswith(HEADS, autoescape=True))
        .group_by(table.c.ref)
        .having(func.min(table.c.vf) > as_of)
        .subquery()
    )
    query = select(table).join(
        oldest, and_(known, table.c.ref == oldest.c.ref, table.c.vf == oldest.c.vf)
    )
    rows = snapshot.connection.execute(query).mappings().all()
    # asked for by record: in one statement with the above, SQLite walks all sightings
    facts = _sightings(snapshot, repo, {row["record_id"] for row in rows})
    firsts: dict[str, RefValue] = {}
    for row in rows:
        fact = facts[row["ref"], row["record_id"]]
        sha = fact.before if fact.evidence == "pushed" else fact.sha
        if sha is not None:
            firsts[row["ref"]] = RefValue(
                ref=row["ref"],
                sha=sha,
                at=row["vf"],
                evidence=row["evidence"],
                record_id=row["record_id"],
            )
    return firsts


def _sightings(
    snapshot: Snapshot, repo: RepositoryKey, record_ids: Iterable[str]
) -> dict[tuple[str, str], RefObserved]:
    """Return what some records showed of refs, by ref and record."""
    table = snapshot.tables(ReleaseTables).sightings
    newest: dict[tuple[str, str], RefObserved] = {}
    for chunk in chunks(sorted(record_ids)):
        columns = (table.c.k, table.c.idx, table.c.ref, table.c.record_id, table.c.fields)
        query = select(*columns).where(table.c.repo == repo, table.c.record_id.in_(chunk))
        # sorted here: with an order by K, SQLite walks the index of all sightings
        rows = sorted(snapshot.connection.execute(query).all(), key=itemgetter(0, 1))
        for _, _, ref, record_id, fields in rows:
            newest[ref, record_id] = msgspec.json.decode(fields, type=RefObserved)
    return newest


def last_held(
    snapshot: Snapshot,
    repo: RepositoryKey,
    refs: Iterable[RefValue],
    as_of: Instant,
    known_at: Instant,
) -> dict[str, RefValue]:
    """Return, of branches whose commit is not recorded yet, the last value whose commit is.

    Pushes are known before the mirror has fetched what they brought.
    """
    commits, table = snapshot.tables(ReleaseTables).commits, snapshot.tables(ReleaseTables).refs
    branches = {ref.ref: ref.sha for ref in refs if ref.ref.startswith(HEADS)}
    recorded = set(commits_named(snapshot, repo, branches.values(), known_at))
    values: dict[str, RefValue] = {}
    for names in chunks(sorted(name for name, sha in branches.items() if sha not in recorded)):
        query = (
            select(table)
            .join(commits, and_(commits.c.repo == table.c.repo, commits.c.sha == table.c.sha))
            .where(table.c.repo == repo, table.c.ref.in_(names), table.c.vf <= as_of)
            .where(table.c.kf <= known_at, table.c.kt > known_at, commits.c.k <= known_at)
        )
        for row in snapshot.connection.execute(query.order_by(table.c.vf)).mappings():
            values[row["ref"]] = ref_value(row)
    return values
