"""Histories of numbers: in memory while a batch is folded into them, and as rows in tables.

The only SQL that the fold needs. Only changes are written: rows that end get `kt`, rows that begin
are inserted. A row that begins and ends within one batch is inserted with both, exactly as if it
had been written twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection, RowMapping, Table, bindparam, delete, select, update

from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import CensusObserved
from events.identity import RepositoryKey
from events.instant import INF, Instant, to_datetime
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import (
    CensusSighting,
    IssueSighting,
    Observation,
    Sighting,
)
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.tables import PullRequestTables
from projections.pull_requests.timeline import Timeline
from projections.store.dialects import chunks
from projections.store.observations import Row, insert_rows

Span: TypeAlias = StateSpan | BaseSpan


Known: TypeAlias = tuple[Instant, Span]
"""A span with the `kf` of its row."""


class History:
    """Observations and open rows (kt = INF) of one number, and what a batch did to them."""

    def __init__(self) -> None:
        self.sightings: list[Sighting] = []
        self.open: dict[Span, Instant] = {}
        self.stored: set[Known] = set()
        self.ended: dict[Known, Instant] = {}
        self.begun: dict[Known, Instant] = {}

    def fold(self, result: Timeline, k: Instant) -> None:
        """Take a new timeline, known from `k` on."""
        spans: set[Span] = {*result.states, *result.bases}
        beginning = spans - self.open.keys()
        for span in self.open.keys() - spans:
            known = (self.open.pop(span), span)
            (self.ended if known in self.stored else self.begun)[known] = k
        for span in beginning:
            self.open[span] = k
            self.begun[(k, span)] = INF

    @property
    def begins_opening(self) -> bool:
        """Whether any row begins that tells when the request was opened."""
        return any(getattr(span, "enter", None) == "opened" for _, span in self.begun)

    def months(self) -> Iterator[tuple[Instant, StateSpan, Instant]]:
        """Yield (kf, span, kt) of the open spans whose month rows have to be written anew."""
        for rows in (self.ended, self.begun):
            for (kf, span), kt in rows.items():
                if isinstance(span, StateSpan) and span.state == "open" and min(span.vt, kt) < INF:
                    yield kf, span, kt


def month_of(instant: Instant) -> int:
    """Return the UTC month of an instant as 12 * year + month - 1."""
    moment = to_datetime(instant)
    return 12 * moment.year + moment.month - 1


def months_of(vf: Instant, end: Instant) -> range:
    """Return the UTC months of [vf, end)."""
    return range(month_of(vf), month_of(end - 1) + 1) if vf < end else range(0)


Histories = dict[tuple[RepositoryKey, int], History]

_pull_request = msgspec.json.Decoder(PullRequestObserved)
_issue = msgspec.json.Decoder(IssueObserved)


SEEN: Final = ("k", "idx", "record_id", "source", "digest", "is_issue", "fields")
"""The columns of pr_obs that hold a sighting."""


def seen(
    k: Instant,
    idx: int,
    record_id: str,
    source: str,
    digest: str,
    is_issue: bool,
    fields: str,
) -> Sighting:
    """Read these columns of one row of pr_obs back."""
    if is_issue:
        issue = _issue.decode(fields)
        return IssueSighting(
            k=k, idx=idx, record_id=record_id, source=source, digest=digest, fact=issue
        )
    return Observation(
        k=k,
        idx=idx,
        record_id=record_id,
        source=source,
        digest=digest,
        fact=_pull_request.decode(fields),
    )


def load(
    connection: Connection, tables: PullRequestTables, touched: Mapping[RepositoryKey, set[int]]
) -> Histories:
    """Read the histories of the touched numbers as they stand."""
    histories: Histories = defaultdict(History)
    for repo, numbers in touched.items():
        for chunk in chunks(sorted(numbers)):
            _load_chunk(connection, tables, repo, chunk, histories)
    return histories


def _load_chunk(
    connection: Connection,
    tables: PullRequestTables,
    repo: RepositoryKey,
    numbers: Sequence[int],
    histories: Histories,
) -> None:
    obs, states, bases = tables.observations, tables.states, tables.bases
    query = select(obs).where(obs.c.repo == repo, obs.c.number.in_(numbers))
    for row in connection.execute(query.order_by(obs.c.number, obs.c.k, obs.c.idx)).mappings():
        histories[repo, row["number"]].sightings.append(seen(*(row[name] for name in SEEN)))
    for table in (states, bases):
        rows = select(table).where(
            table.c.repo == repo, table.c.number.in_(numbers), table.c.kt == INF
        )
        for row in connection.execute(rows).mappings():
            span = read_state(row) if table is states else read_base(row)
            history = histories[repo, row["number"]]
            history.open[span] = row["kf"]
            history.stored.add((row["kf"], span))


def read_state(row: RowMapping) -> StateSpan:
    """Read the span of one row of pr_state."""
    flags = tuple(row["flags"].split(",")) if row["flags"] else ()
    return StateSpan(
        vf=row["vf"],
        vt=row["vt"],
        enter=row["enter"],
        evidence=row["evidence"],
        record_id=row["record_id"],
        flags=flags,
    )


def read_base(row: RowMapping) -> BaseSpan:
    """Read the span of one row of pr_base."""
    return BaseSpan(vf=row["vf"], vt=row["vt"], base=row["base"], record_id=row["record_id"])


def write(connection: Connection, tables: PullRequestTables, histories: Histories) -> None:
    """Write what a batch changed: rows that end, rows that begin, months."""
    for table, kind in ((tables.states, StateSpan), (tables.bases, BaseSpan)):
        _end(connection, table, kind, histories)
        begun = [
            {"repo": repo, "number": number, "kf": kf, "kt": kt, **_columns(span)}
            for (repo, number), history in histories.items()
            for (kf, span), kt in history.begun.items()
            if isinstance(span, kind)
        ]
        insert_rows(connection, table, begun)
    _write_months(connection, tables, histories)


def _columns(span: StateSpan | BaseSpan) -> dict[str, Any]:
    columns = msgspec.structs.asdict(span)
    if isinstance(span, StateSpan):
        columns |= {"state": span.state, "flags": ",".join(span.flags)}
    return columns


def _end(connection: Connection, table: Table, kind: type, histories: Histories) -> None:
    key = ["repo", "number", "kf", "vf"] + (["enter"] if kind is StateSpan else [])
    ended = [
        {"_repo": repo, "_number": number, "_kf": kf, "_vf": span.vf, "_kt": kt}
        | ({"_enter": span.enter} if isinstance(span, StateSpan) else {})
        for (repo, number), history in histories.items()
        for (kf, span), kt in history.ended.items()
        if isinstance(span, kind)
    ]
    if ended:
        matches = [table.c[column] == bindparam(f"_{column}") for column in key]
        connection.execute(update(table).where(*matches).values(kt=bindparam("_kt")), ended)


def _write_months(connection: Connection, tables: PullRequestTables, histories: Histories) -> None:
    table = tables.months
    stale: list[Row] = []
    fresh: list[Row] = []
    for (repo, number), history in histories.items():
        for kf, span, kt in history.months():
            if (kf, span) in history.stored:
                stale.append({"_repo": repo, "_number": number, "_kf": kf, "_vf": span.vf})
            fresh += [
                {"repo": repo, "month": month, "number": number}
                | {"kf": kf, "kt": kt, "vf": span.vf, "vt": span.vt}
                for month in months_of(span.vf, min(span.vt, kt))
            ]
    if stale:
        key = ("repo", "number", "kf", "vf")
        matches = [table.c[column] == bindparam(f"_{column}") for column in key]
        connection.execute(delete(table).where(*matches), stale)
    insert_rows(connection, table, fresh)


def forget(
    connection: Connection, tables: PullRequestTables, repo: RepositoryKey, number: int
) -> None:
    """Drop the derived rows of one number, so that its history can be folded anew."""
    for table in (tables.states, tables.bases, tables.months):
        connection.execute(delete(table).where(table.c.repo == repo, table.c.number == number))


def load_censuses(
    connection: Connection, tables: PullRequestTables, repos: Iterable[RepositoryKey]
) -> dict[RepositoryKey, list[CensusSighting]]:
    """Read the censuses of some repositories, oldest knowledge first."""
    table = tables.coverage
    query = (
        select(table)
        .where(table.c.repo.in_(sorted(set(repos))), table.c.kind == "census")
        .order_by(table.c.k, table.c.idx)
    )
    censuses: dict[RepositoryKey, list[CensusSighting]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        fact = msgspec.json.decode(row["fields"], type=CensusObserved)
        censuses[row["repo"]].append(
            CensusSighting(k=row["k"], record_id=row["record_id"], fact=fact)
        )
    return censuses
