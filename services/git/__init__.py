"""Reads git repositories, through the git command line, and imports their history."""

from services.git.command import GitFault
from services.git.importer import ImportResult, append_news, import_git
from services.git.memory import Imported
from services.git.reading import Reading
from services.git.repository import GitRepository

__all__ = [
    "GitFault",
    "GitRepository",
    "ImportResult",
    "Imported",
    "Reading",
    "append_news",
    "import_git",
]
