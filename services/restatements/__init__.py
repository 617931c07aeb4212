"""Restatements: what changed between two answers to one question, and why."""

from services.restatements.before import Before, edition_before, file_before, known_before
from services.restatements.choose import FORMATS, render
from services.restatements.compare import compare
from services.restatements.restatement import Restatement

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
