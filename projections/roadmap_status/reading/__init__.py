"""GitHub's Markdown to a tree of headings, list entries, table rows and loose text."""

from projections.roadmap_status.reading.document import (
    Box,
    Document,
    Entry,
    EntryKind,
    Heading,
    Paragraph,
    Doubt,
    Caution,
)
from projections.roadmap_status.reading.markdown import LONGEST_TEXT, read
from projections.roadmap_status.reading.prose import LinkSpan, Prose, Span
from projections.roadmap_status.reading.references import Reader, Reference, TargetKind

__all__ = [
    "LONGEST_TEXT",
    "Box",
    "Document",
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
    "Doubt",
    "Caution",
    "read",
]
