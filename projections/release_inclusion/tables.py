"""The tables of one generation: commits, refs on both clocks, releases, decisions, read histories.

Carriers and reverts are a pure function of these rows and of the requests. What that function
returns is kept (`keeping.py`) under all that it was made from, the rules included, so a mended rule
needs no rebuild. Verdicts are never stored.
"""

from sqlalchemy import Column, Integer, LargeBinary, Text

from projections.store.observations import GenerationTables, fields
from projections.store.schema import InstantColumn, Name


class ReleaseTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        self.commits = self.table(
            "git_commit",
            Column("sha", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("record_id", Name, nullable=False),
            Column("at", InstantColumn, nullable=False, comment="when it was committed"),
            fields("the commit, JSON, without its paths"),
            Column("paths", Text, comment="JSON list; NULL: not read"),
            key=("repo", "sha", "k"),
        )
        self.index("ix_git_commit_k", self.commits, "repo", "k")
        self.index("ix_git_commit_at", self.commits, "repo", "at", "k", "sha")
        self.kept = self.kept_table(
            "kept_history",
            Column("k", InstantColumn, nullable=False, comment="the last record that it knows"),
            Column("inputs", LargeBinary, nullable=False),
            Column("data", LargeBinary, nullable=False),
        )
        ref = Column("ref", Name, nullable=False)
        digest = Column("digest", Name, nullable=False)
        self.sightings = self.by_subject("ref_sighting", [ref], digest, fields())
        self.index("ix_ref_sighting_k", self.sightings, "repo", "k")
        self.refs = self.on_two_clocks(
            "ref_version",
            Column("ref", Name, nullable=False),
            Column("sha", Name, comment="the peeled commit; NULL: deleted"),
            Column("tag_object", Name),
            Column("evidence", Name, nullable=False),
            Column("record_id", Name, nullable=False),
        )
        self.index("ix_ref_version_sha", self.refs, "repo", "sha", "ref")
        self.releases = self.table(
            "release_sighting",
            Column("release_id", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("idx", Integer, nullable=False),
            Column("record_id", Name, nullable=False),
            fields(),
            key=("repo", "record_id", "idx"),
        )
        kind = Column("kind", Name, nullable=False, comment="alias | mention")
        self.decisions = self.by_record("decision", kind, fields())
