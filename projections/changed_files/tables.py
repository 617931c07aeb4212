"""The tables of one generation: file lists of requests, judgements of commits, patch ids."""

from sqlalchemy import BigInteger, Boolean, Column, Text

from projections.store.observations import GenerationTables, fields
from projections.store.schema import InstantColumn, Name

_PLACE = "its place in the record"


class ChangedFilesTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        self.lists = self.by_record(
            "file_list",
            Column("at", InstantColumn, nullable=False),
            fields(),
            about=[Column("number", BigInteger, nullable=False)],
        )
        self.index("ix_file_list_number", self.lists, "repo", "number")
        self.formats = self.by_record(
            "format_judgement",
            Column("rules", Name, nullable=False, comment="the version of the judge"),
            Column("format_only", Boolean, nullable=False),
            Column("because", Text, nullable=False),
            about=[Column("sha", Name, nullable=False)],
            place=_PLACE,
        )
        self.index("ix_format_judgement_sha", self.formats, "repo", "sha")
        self.patches = self.by_record(
            "patch_identity",
            Column("method", Name, nullable=False),
            Column("patch", Name, comment="NULL: nothing is changed"),
            about=[
                Column("sha", Name, nullable=False),
                Column("since", Name, comment="of a head: the commit it is built on"),
            ],
            place=_PLACE,
        )
        self.index("ix_patch_identity_sha", self.patches, "repo", "sha")
        self.index("ix_patch_identity_k", self.patches, "repo", "k")
