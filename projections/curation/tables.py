"""The tables of one generation: decisions, recorded themes, published editions. Known time only."""

from sqlalchemy import Column

from projections.store.observations import GenerationTables, fields
from projections.store.schema import InstantColumn, Name


class CurationTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        kind = Column("kind", Name, nullable=False, comment="of the decision")
        self.decisions = self.by_record("telling_decision", kind, fields())
        inputs = Column("inputs", Name, nullable=False, comment="digest of all it rests on")
        about = Column("about", Name, nullable=False, comment="section of a period; empty: none")
        self.themes = self.by_record("theme_assignment", inputs, about, fields())
        self.index("ix_theme_assignment", self.themes, "repo", "inputs")
        self.index("ix_theme_assignment_about", self.themes, "repo", "about")
        self.editions = self.by_record(
            "edition",
            Column("vf", InstantColumn, nullable=False, comment="start of its period"),
            Column("vt", InstantColumn, nullable=False, comment="end of its period"),
            fields(),
        )
        self.index("ix_edition", self.editions, "repo", "vf")
