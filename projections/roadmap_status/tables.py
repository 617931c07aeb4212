"""The tables of one generation: texts, and who showed which text, comment, part or decision when.

Items, claims, statuses and drift have no tables: they are pure functions of these rows and of what
the other projections know, computed when asked, so a mended rule needs no rebuild.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from projections.store.schema import InstantColumn, Name


class RoadmapTables:
    """Table objects of generation `generation`; `metadata` creates and drops them together."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self._suffix = f"_g{generation}"
        self.texts = self._texts()
        self.sightings = self._sightings()
        self.comments = self._comments()
        self.parts = self._parts()
        self.decisions = self._decisions()

    def _texts(self) -> Table:
        """Every text once, however often it is shown."""
        return Table(
            "roadmap_text" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("digest", Name, nullable=False, comment="SHA-256 of the text"),
            Column("text", Text, nullable=False),
            PrimaryKeyConstraint("repo", "digest"),
        )

    def _sightings(self) -> Table:
        table = Table(
            "issue_sighting" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("digest", Name, nullable=False, comment="of the record's body"),
            Column("at", InstantColumn, nullable=False),
            Column("text", Name, comment="digest of the text that was shown"),
            Column("titled", Boolean, nullable=False, comment="title or label say roadmap"),
            Column("fields", Text, nullable=False, comment="the fact, JSON, without its text"),
            PrimaryKeyConstraint("repo", "number", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )
        Index("ix_issue_sighting_titled" + self._suffix, table.c.repo, table.c.titled)
        return table

    def _comments(self) -> Table:
        return Table(
            "issue_comment" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("comment_id", BigInteger, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("at", InstantColumn, nullable=False),
            Column("text", Name, comment="digest of the text; NULL: deleted"),
            Column("fields", Text, nullable=False, comment="the fact, JSON, without its text"),
            PrimaryKeyConstraint("repo", "number", "comment_id", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )

    def _parts(self) -> Table:
        return Table(
            "issue_part" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False, comment="of the parent"),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "number", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )

    def _decisions(self) -> Table:
        return Table(
            "roadmap_decision" + self._suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("number", BigInteger, nullable=False, comment="of the roadmap"),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("kind", Name, nullable=False, comment="item | acknowledged"),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "number", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )
