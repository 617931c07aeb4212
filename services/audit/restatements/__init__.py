"""Restatements: what changed between two answers to one question, and why."""

from services.audit.restatements.before import Before, edition_before, file_before, known_before
from services.audit.restatements.choose import FORMATS, render
from services.audit.restatements.compare import compare
from services.audit.restatements.restatement import Restatement

__all__ = [
    "FORMATS",
    "Before",
    "Restatement",
    "compare",
    "edition_before",
    "file_before",
    "known_before",
    "render",
]
