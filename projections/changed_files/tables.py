"""The tables of one generation: file lists of requests, judgements of commits, patch ids."""

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
)

from projections.store.schema import InstantColumn, Name


class ChangedFilesTables:
    """Table objects of generation `generation`."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        suffix = f"_g{generation}"
        self.lists = Table(
            "file_list" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("number", BigInteger, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("at", InstantColumn, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
        Index("ix_file_list_number" + suffix, self.lists.c.repo, self.lists.c.number)
        self.formats = Table(
            "format_judgement" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False, comment="its place in the record"),
            Column("sha", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("rules", Name, nullable=False, comment="the version of the judge"),
            Column("format_only", Boolean, nullable=False),
            Column("because", Text, nullable=False),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
        Index("ix_format_judgement_sha" + suffix, self.formats.c.repo, self.formats.c.sha)
        self.patches = Table(
            "patch_identity" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False, comment="its place in the record"),
            Column("sha", Name, nullable=False),
            Column("since", Name, comment="of a head: the commit it is built on"),
            Column("k", InstantColumn, nullable=False),
            Column("method", Name, nullable=False),
            Column("patch", Name, comment="NULL: nothing is changed"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
        Index("ix_patch_identity_sha" + suffix, self.patches.c.repo, self.patches.c.sha)
