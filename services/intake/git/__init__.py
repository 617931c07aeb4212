"""Reads git repositories, through the git command line, and imports their history."""

from services.intake.git.command import GitFault
from services.intake.git.contents import ContentsResult, read_contents
from services.intake.git.copies import compare_copies
from services.intake.git.importer import ImportResult, append_news, import_git
from services.intake.git.memory import Imported, recall
from services.intake.git.refs import Reading
from services.intake.git.repository import GitRepository

__all__ = [
    "ContentsResult",
    "GitFault",
    "GitRepository",
    "ImportResult",
    "Imported",
    "Reading",
    "append_news",
    "compare_copies",
    "import_git",
    "read_contents",
    "recall",
]
