"""The tables of one generation: texts, and who showed which text, comment, part or decision when.

Items, claims, statuses and drift are pure functions of these rows and of what the other projections
know, computed when asked. What reading the texts gives is kept (`keeping.py`) under all that it was
made from, the rules included, so a mended rule needs no rebuild.
"""

from sqlalchemy import BigInteger, Boolean, Column, LargeBinary

from projections.store.observations import GenerationTables, fields
from projections.store.schema import InstantColumn, Name

_WITHOUT_TEXT = "the fact, JSON, without its text"


class RoadmapTables(GenerationTables):
    """Table objects of one generation."""

    def __init__(self, generation: int) -> None:
        super().__init__(generation)
        self.texts = self.each_once("roadmap_text", "SHA-256 of the text")
        self.sightings = self.by_subject(
            "issue_sighting",
            [_number()],
            Column("digest", Name, nullable=False, comment="of the record's body"),
            Column("at", InstantColumn, nullable=False),
            Column("text", Name, comment="digest of the text that was shown"),
            Column("titled", Boolean, nullable=False, comment="title or label say roadmap"),
            fields(_WITHOUT_TEXT),
        )
        self.index("ix_issue_sighting_titled", self.sightings, "repo", "titled")
        self.comments = self.by_subject(
            "issue_comment",
            [_number(), Column("comment_id", BigInteger, nullable=False)],
            Column("at", InstantColumn, nullable=False),
            Column("text", Name, comment="digest of the text; NULL: deleted"),
            fields(_WITHOUT_TEXT),
        )
        self.parts = self.by_subject("issue_part", [_number("of the parent")], fields())
        self.kept = self.kept_table(
            "kept_edition",
            _number("of the roadmap"),
            Column("data", LargeBinary, nullable=False),
            Column("fresh", LargeBinary, nullable=False, comment="ids that no edition before had"),
        )
        self.index("ix_kept_edition", self.kept, "repo", "number")
        self.decisions = self.by_subject(
            "roadmap_decision",
            [_number("of the roadmap")],
            Column("kind", Name, nullable=False, comment="item | acknowledged"),
            fields(),
        )


def _number(comment: str | None = None) -> Column[int]:
    return Column("number", BigInteger, nullable=False, comment=comment)
