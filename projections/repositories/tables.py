"""The tables of one generation: every name seen of a repository, the current one by K, and until
when something was heard of it.
"""

from sqlalchemy import Column

from projections.store.observations import GenerationTables
from projections.store.schema import InstantColumn, Name


class RepositoryTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        self.sightings = self.table(
            "repo_sighting",
            Column("full_name", Name, nullable=False),
            Column("default_branch", Name, nullable=False, comment="empty: not shown"),
            Column("first_at", InstantColumn, nullable=False),
            Column("last_at", InstantColumn, nullable=False),
            key=("repo", "full_name", "default_branch"),
        )
        self.joined = self.table(
            "repo_joined",
            Column("k", InstantColumn, nullable=False),
            Column("into", Name, nullable=False),
            key=("repo", "k"),
        )
        self.heard = self.table(
            "repo_heard",
            Column("k", InstantColumn, nullable=False),
            Column("at", InstantColumn, nullable=False, comment="rises with k"),
            key=("repo", "k"),
        )
        self.names = self.table(
            "repo_name",
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("full_name", Name, nullable=False),
            Column("lower_name", Name, nullable=False),
            Column("default_branch", Name, nullable=False),
            key=("repo", "kf"),
        )
        self.index("ix_repo_name", self.names, "lower_name")
