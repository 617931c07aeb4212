"""The tables of one generation (MODEL.md 7): observations, texts, states, bases, months, coverage.

A request shows the same text at almost every delivery; each text is kept once, by its digest.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ColumnElement, Index, Integer, Table

from events.instant import INF
from projections.store.observations import GenerationTables, fields
from projections.store.schema import InstantColumn, Name

BLOCK: Final = 1_000
"""Numbers that are looked at together; see `reach.py`."""


class PullRequestTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        self.observations = self._observations()
        self.texts = self.each_once("pr_text", "SHA-256 of the text in UTF-8")
        self.states = self._states()
        self.bases = self.on_two_clocks(
            "pr_base",
            _number(),
            Column("base", Name, nullable=False),
            Column("record_id", Name, nullable=False),
        )
        self.months = self._months()
        self.whole = self.table(
            "pr_whole",
            _number(),
            Column("k", InstantColumn, nullable=False, comment="since when a full object shows it"),
            key=("repo", "number"),
        )
        self.blocks = self._blocks()
        self.landed = self.table(
            "pr_landed",
            Column("k", InstantColumn, nullable=False),
            Column("at", InstantColumn, nullable=False, comment="rises with k"),
            key=("repo", "k"),
        )
        self.coverage = self.by_record(
            "pr_coverage",
            Column(
                "kind", Name, nullable=False, comment="created | census | gap | filled | conflict"
            ),
            Column("at", InstantColumn, nullable=False),
            fields(),
        )

    def _observations(self) -> Table:
        table = self.by_subject(
            "pr_obs",
            [_number()],
            Column("source", Name, nullable=False),
            Column("digest", Name, nullable=False),
            Column("trust", Integer, nullable=False),
            Column("at", InstantColumn, nullable=False),
            Column("kind", Name, nullable=False),
            Column("is_issue", Boolean, nullable=False),
            Column("head", Name),
            fields(),
        )
        self.index("ix_pr_obs_k", table, "repo", "k")
        self.index("ix_pr_obs_kind", table, "repo", "kind", "at", "number")
        self.index("ix_pr_obs_head", table, "repo", "head", "number")
        return table

    def _states(self) -> Table:
        table = self.on_two_clocks(
            "pr_state",
            _number(),
            Column("enter", Name, nullable=False),
            Column("state", Name, nullable=False),
            Column("evidence", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("flags", Name, nullable=False),
            apart=["enter"],
        )
        c = table.c
        covered = ("vt", "kf", "kt", "enter", "state", "number", "evidence", "record_id", "flags")
        self._covering("ix_pr_state_vf", (c.repo, c.vf), covered)
        still_open = (c.state == "open") & (c.vt == INF) & (c.kt == INF)
        # SQLite counts it as covering only if it holds what its own condition is about
        condition = ("state", "vt", "kt")
        begun = (*condition, "vf")
        self._covering("ix_pr_state_open", (c.repo, c.number), begun, where=still_open)
        closed = c.state.in_(("closed", "closed_unknown"))
        self._covering("ix_pr_state_vt", (c.repo, c.vt), (), where=closed)
        return table

    def _months(self) -> Table:
        # by month one reads all of a row, so the key holds it: INCLUDE, or no rowid in SQLite
        table = self.table(
            "pr_open_month",
            Column("month", Integer, nullable=False, comment="12 * year + month - 1, UTC"),
            _number(),
            Column("kf", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            key=("repo", "month", "number", "kf", "vf"),
            key_options={"postgresql_include": ["kt", "vt"]},
            sqlite_with_rowid=False,
        )
        self.index("ix_pr_open_month_row", table, "repo", "number", "kf")
        return table

    def _blocks(self) -> Table:
        return self.table(
            "pr_block",
            Column("block", BigInteger, nullable=False, comment="number / 1000"),
            Column("numbers", Integer, nullable=False, comment="those that are shown whole"),
            Column("first_k", InstantColumn, comment="since when any of them is"),
            Column("last_k", InstantColumn, comment="since when all of them are"),
            Column("opened_k", InstantColumn, comment="since when an opening is known"),
            Column("opened_until", InstantColumn, comment="when the last one was opened"),
            key=("repo", "block"),
        )

    def _covering(
        self,
        name: str,
        key: Sequence[Column[object]],
        covered: Sequence[str],
        where: ColumnElement[bool] | None = None,
    ) -> None:
        """Add an index that also holds other columns: INCLUDE, or trailing keys in SQLite."""
        columns = key[0].table.c
        trailing = [columns[column] for column in covered]
        Index(
            name + self._suffix, *key, postgresql_include=list(covered), postgresql_where=where
        ).ddl_if(dialect="postgresql")
        Index(f"{name}{self._suffix}_covering", *key, *trailing, sqlite_where=where).ddl_if(
            dialect="sqlite"
        )


def _number() -> Column[int]:
    return Column("number", BigInteger, nullable=False)
