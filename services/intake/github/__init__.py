"""Asks GitHub's REST API; so far for the files of pull requests."""

from services.intake.github.client import GitHubClient, GitHubFault
from services.intake.github.files import FilesResult, import_files

__all__ = ["FilesResult", "GitHubClient", "GitHubFault", "import_files"]
