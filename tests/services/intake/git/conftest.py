"""One small repository and one log for each test."""

from pathlib import Path

import pytest

from tests.services.intake.git.sandbox import Imports, Sandbox


@pytest.fixture
def repo(tmp_path: Path) -> Sandbox:
    """A repository with a worktree, on `main`, without commits."""
    return Sandbox(tmp_path / "repo")


@pytest.fixture
def imports() -> Imports:
    """An empty log to import into."""
    return Imports()
