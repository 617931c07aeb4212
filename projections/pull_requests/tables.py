"""The tables of one generation (MODEL.md 7): observations, states, bases, months, coverage."""

from sqlalchemy import (
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from events.instant import INF
from projections.schema import InstantColumn


class PullRequestTables:
    """Table objects of generation `generation`; `metadata` creates and drops them together."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self._suffix = f"_g{generation}"
        self.observations = self._observations()
        self.states = self._states()
        self.bases = self._bases()
        self.months = self._months()
        self.coverage = self._coverage()

    def _table(self, name: str, *items: Column[object] | PrimaryKeyConstraint) -> Table:
        return Table(name + self._suffix, self.metadata, *items)

    def _index(self, name: str, *columns: Column[object]) -> Index:
        return Index(name + self._suffix, *columns)

    def _observations(self) -> Table:
        table = Table(
            "pr_obs" + self._suffix,
            self.metadata,
            Column("repo", String, nullable=False),
            Column("number", Integer, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", String, nullable=False),
            Column("source", String, nullable=False),
            Column("digest", String, nullable=False),
            Column("trust", Integer, nullable=False),
            Column("at", InstantColumn, nullable=False),
            Column("kind", String, nullable=False),
            Column("is_issue", Boolean, nullable=False),
            Column("head", String),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "number", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )
        self._index("ix_pr_obs_kind", table.c.repo, table.c.kind, table.c.at, table.c.number)
        self._index("ix_pr_obs_head", table.c.repo, table.c.head, table.c.number)
        return table

    def _states(self) -> Table:
        table = self._table(
            "pr_state",
            Column("repo", String, nullable=False),
            Column("number", Integer, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            Column("enter", String, nullable=False),
            Column("state", String, nullable=False),
            Column("evidence", String, nullable=False),
            Column("record_id", String, nullable=False),
            Column("flags", String, nullable=False),
            PrimaryKeyConstraint("repo", "number", "kf", "vf", "enter"),
        )
        c = table.c
        covered = ["vt", "kf", "kt", "enter", "state", "number"]
        closed = c.state.in_(("closed", "closed_unknown"))
        still_open = (c.state == "open") & (c.vt == INF) & (c.kt == INF)
        name = "ix_pr_state_vf" + self._suffix
        Index(name, c.repo, c.vf, postgresql_include=covered).ddl_if(dialect="postgresql")
        Index(name + "_covering", c.repo, c.vf, *(c[each] for each in covered)).ddl_if(
            dialect="sqlite"
        )
        for suffix, column, where in (("vt", c.vt, closed), ("open", c.number, still_open)):
            Index(
                f"ix_pr_state_{suffix}{self._suffix}",
                c.repo,
                column,
                sqlite_where=where,
                postgresql_where=where,
            )
        return table

    def _bases(self) -> Table:
        return self._table(
            "pr_base",
            Column("repo", String, nullable=False),
            Column("number", Integer, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            Column("base", String, nullable=False),
            Column("record_id", String, nullable=False),
            PrimaryKeyConstraint("repo", "number", "kf", "vf"),
        )

    def _months(self) -> Table:
        table = self._table(
            "pr_open_month",
            Column("repo", String, nullable=False),
            Column("month", Integer, nullable=False, comment="12 * year + month - 1, UTC"),
            Column("number", Integer, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            PrimaryKeyConstraint("repo", "month", "number", "kf", "vf"),
        )
        self._index("ix_pr_open_month_row", table.c.repo, table.c.number, table.c.kf)
        return table

    def _coverage(self) -> Table:
        return self._table(
            "pr_coverage",
            Column("repo", String, nullable=False),
            Column("record_id", String, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("kind", String, nullable=False, comment="created | census | gap | conflict"),
            Column("at", InstantColumn, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
