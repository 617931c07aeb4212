"""GitHub's Markdown to a tree of headings, list entries, table rows and loose text."""

from projections.roadmap_status.boxes import Box
from projections.roadmap_status.reading.document import (
    Block,
    Caution,
    Document,
    Doubt,
    Entry,
    EntryKind,
    Heading,
    Paragraph,
)
from projections.roadmap_status.reading.markdown import LONGEST_TEXT, read
from projections.roadmap_status.reading.prose import LinkSpan, Prose, Span
from projections.roadmap_status.reading.references import Reader, Reference, TargetKind

__all__ = [
    "LONGEST_TEXT",
    "Block",
    "Box",
    "Caution",
    "Document",
    "Doubt",
    "Entry",
    "EntryKind",
    "Heading",
    "LinkSpan",
    "Paragraph",
    "Prose",
    "Reader",
    "Reference",
    "Span",
    "TargetKind",
    "read",
]
