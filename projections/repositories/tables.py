"""The tables of one generation: every name seen of a repository, the current one by K, and until
when something was heard of it.
"""

from sqlalchemy import Column, Index, MetaData, PrimaryKeyConstraint, Table

from projections.store.schema import InstantColumn, Name


class RepositoryTables:
    """Table objects of generation `generation`."""

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self.sightings = Table(
            f"repo_sighting_g{generation}",
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("full_name", Name, nullable=False),
            Column("default_branch", Name, nullable=False, comment="empty: not shown"),
            Column("first_at", InstantColumn, nullable=False),
            Column("last_at", InstantColumn, nullable=False),
            PrimaryKeyConstraint("repo", "full_name", "default_branch"),
        )
        self.joined = Table(
            f"repo_joined_g{generation}",
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("into", Name, nullable=False),
            PrimaryKeyConstraint("repo", "k"),
        )
        self.heard = Table(
            f"repo_heard_g{generation}",
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("k", InstantColumn, nullable=False),
            Column("at", InstantColumn, nullable=False, comment="rises with k"),
            PrimaryKeyConstraint("repo", "k"),
        )
        self.names = Table(
            f"repo_name_g{generation}",
            self.metadata,
            Column("repo", Name, nullable=False),
            Column("kf", InstantColumn, nullable=False),
            Column("kt", InstantColumn, nullable=False),
            Column("full_name", Name, nullable=False),
            Column("lower_name", Name, nullable=False),
            Column("default_branch", Name, nullable=False),
            PrimaryKeyConstraint("repo", "kf"),
        )
        Index(f"ix_repo_name_g{generation}", self.names.c.lower_name)
