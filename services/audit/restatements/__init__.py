"""Restatements: what changed between two answers to one question, and why."""

from services.audit.restatements.answer import RestatementAnswer
from services.audit.restatements.before import Before, edition_before, file_before, known_before
from services.audit.restatements.compare import compare
from services.audit.restatements.forms import restatement_forms
from services.audit.restatements.restatement import Restatement

__all__ = [
    "Before",
    "Restatement",
    "RestatementAnswer",
    "compare",
    "edition_before",
    "file_before",
    "known_before",
    "restatement_forms",
]
