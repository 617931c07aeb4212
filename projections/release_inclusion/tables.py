"""The tables of one generation: commits, refs on both clocks, releases, decisions.

Carriers, reverts and verdicts have no tables: they are pure functions of these rows and of the
requests, computed when asked (`queries.history`), so a mended rule needs no rebuild.
"""

from sqlalchemy import (
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


class ReleaseTables:
    """Table objects of generation `generation`."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        suffix = f"_g{generation}"
        self.commits = Table(
            "git_commit" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("sha", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("fields", Text, nullable=False, comment="the commit, JSON, without its paths"),
            Column("paths", Text, comment="JSON list; NULL: not read"),
            PrimaryKeyConstraint("repo", "sha", "k"),
        )
        Index("ix_git_commit_k" + suffix, self.commits.c.repo, self.commits.c.k)
        self.sightings = Table(
            "ref_sighting" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("ref", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("digest", Name, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "ref", "k", "idx"),
            UniqueConstraint("repo", "record_id", "idx"),
        )
        self.refs = Table(
            "ref_version" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("ref", Name, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("vf", InstantColumn, nullable=False),
            Column("vt", InstantColumn, nullable=False),
            Column("sha", Name, comment="the peeled commit; NULL: deleted"),
            Column("tag_object", Name),
            Column("evidence", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            PrimaryKeyConstraint("repo", "ref", "kf", "vf"),
        )
        self.releases = Table(
            "release_sighting" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("release_id", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
        self.decisions = Table(
            "decision" + suffix,
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("kind", Name, nullable=False, comment="alias | mention"),
            Column("fields", Text, nullable=False, comment="the fact, JSON"),
            PrimaryKeyConstraint("repo", "record_id", "idx"),
        )
