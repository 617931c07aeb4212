"""The tables of one generation: decisions, recorded themes, published editions. Known time only."""

from sqlalchemy import Column, Index, Integer, MetaData, PrimaryKeyConstraint, Table, Text

from projections.store.schema import InstantColumn, Name


class CurationTables:
    """Table objects of generation `generation`."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self._suffix = f"_g{generation}"
        self.decisions = self._table(
            "telling_decision", Column("kind", Name, nullable=False, comment="of the decision")
        )
        self.themes = self._table(
            "theme_assignment",
            Column("inputs", Name, nullable=False, comment="digest of all it rests on"),
        )
        Index("ix_theme_assignment" + self._suffix, self.themes.c.repo, self.themes.c.inputs)
        self.editions = self._table(
            "edition",
            Column("vf", InstantColumn, nullable=False, comment="start of its period"),
            Column("vt", InstantColumn, nullable=False, comment="end of its period"),
        )
        Index("ix_edition" + self._suffix, self.editions.c.repo, self.editions.c.vf)

    def _table(self, name: str, *own: Column[str] | Column[int]) -> Table:
        return Table(
            name + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("k", InstantColumn, nullable=False),
            *own,
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
