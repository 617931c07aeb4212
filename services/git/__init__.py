"""Reads git repositories, through the git command line, and imports their history."""

from services.git.command import GitFault
from services.git.importer import ImportResult, import_git
from services.git.repository import GitRepository

__all__ = ["GitFault", "GitRepository", "ImportResult", "import_git"]
