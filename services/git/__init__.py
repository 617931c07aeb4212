"""Reads git repositories, through the git command line, and imports their history."""

from services.git.command import GitFault
from services.git.contents import ContentsResult, read_contents
from services.git.importer import ImportResult, append_news, import_git
from services.git.memory import Imported, recall
from services.git.reading import Reading
from services.git.repository import GitRepository

__all__ = [
    "ContentsResult",
    "GitFault",
    "GitRepository",
    "ImportResult",
    "Imported",
    "Reading",
    "append_news",
    "import_git",
    "read_contents",
    "recall",
]
