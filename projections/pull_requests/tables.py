"""The tables of one generation (MODEL.md 7): observations, texts, states, bases, months, coverage.

A request shows the same text at almost every delivery; each text is kept once, by its digest.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from events.instant import INF
from projections.store.schema import InstantColumn, Name


class PullRequestTables:
    """Table objects of generation `generation`; `metadata` creates and drops them together."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self._suffix = f"_g{generation}"
        self.observations = self._observations()
        self.texts = self._texts()
        self.states = self._states()
        self.bases = self._bases()
        self.months = self._months()
        self.coverage = self._coverage()

    def _table(
        self, name: str, *items: Column[object] | PrimaryKeyConstraint, **options: Any
    ) -> Table:
        return Table(name + self._suffix, self.metadata, *items, **options)

    def _index(self, name: str, *columns: Column[object]) -> Index:
        return Index(name + self._suffix, *columns)

    def _covering(
        self,
        name: str,
        key: Sequence[Column[object]],
        covered: Sequence[str],
        where: ColumnElement[bool] | None = None,
    ) -> None:
        """Add an index that also holds other columns: INCLUDE, or trailing keys in SQLite."""
        columns = key[0].table.c
        trailing = [columns[each] for each in covered]
        Index(
            name + self._suffix, *key, postgresql_include=list(covered), postgresql_where=where
        ).ddl_if(dialect="postgresql")
        Index(f"{name}{self._suffix}_covering", *key, *trailing, sqlite_where=where).ddl_if(
            dialect="sqlite"
        )

    def _observations(self) -> Table:
        table = Table(
            "pr_obs" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("source", Name, nullable=False),
            Column("digest", Name, nullable=False),
            Column("trust", Integer, nullable=False),
            Column("at", InstantColumn, nullable=False),
            Column("kind", Name, nullable=False),
            Column("is_issue", Boolean, nullable=False),
            Column("head", Name),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "number", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )
        self._index("ix_pr_obs_kind", table.c.repo, table.c.kind, table.c.at, table.c.number)
        self._index("ix_pr_obs_head", table.c.repo, table.c.head, table.c.number)
        return table

    def _texts(self) -> Table:
        return self._table(
            "pr_text",
            Column("repo", Name, nullable=False),
            Column("digest", Name, nullable=False, comment="SHA-256 of the text in UTF-8"),
            Column("text", Text, nullable=False),
            PrimaryKeyConstraint("repo", "digest"),
        )

    def _states(self) -> Table:
        table = self._table(
            "pr_state",
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            Column("enter", Name, nullable=False),
            Column("state", Name, nullable=False),
            Column("evidence", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("flags", Name, nullable=False),
            PrimaryKeyConstraint("repo", "number", "kf", "vf", "enter"),
        )
        c = table.c
        covered = ("vt", "kf", "kt", "enter", "state", "number", "evidence", "record_id", "flags")
        self._covering("ix_pr_state_vf", (c.repo, c.vf), covered)
        still_open = (c.state == "open") & (c.vt == INF) & (c.kt == INF)
        # SQLite counts it as covering only if it holds what its own condition is about
        shown = ("state", "vt", "kt")
        self._covering("ix_pr_state_open", (c.repo, c.number), shown, where=still_open)
        closed = c.state.in_(("closed", "closed_unknown"))
        self._covering("ix_pr_state_vt", (c.repo, c.vt), (), where=closed)
        return table

    def _bases(self) -> Table:
        return self._table(
            "pr_base",
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            Column("base", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            PrimaryKeyConstraint("repo", "number", "kf", "vf"),
        )

    def _months(self) -> Table:
        # by month one reads all of a row, so the key holds it: INCLUDE, or no rowid in SQLite
        table = self._table(
            "pr_open_month",
            Column("repo", Name, nullable=False),
            Column("month", Integer, nullable=False, comment="12 * year + month - 1, UTC"),
            Column("number", BigInteger, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            PrimaryKeyConstraint(
                "repo", "month", "number", "kf", "vf", postgresql_include=["kt", "vt"]
            ),
            sqlite_with_rowid=False,
        )
        self._index("ix_pr_open_month_row", table.c.repo, table.c.number, table.c.kf)
        return table

    def _coverage(self) -> Table:
        return self._table(
            "pr_coverage",
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column(
                "kind", Name, nullable=False, comment="created | census | gap | filled | conflict"
            ),
            Column("at", InstantColumn, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
