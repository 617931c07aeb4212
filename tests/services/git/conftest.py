"""One small repository and one log for each test; the real history once a session."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.git.sandbox import Imports, Sandbox

SHARED = Path(__file__).parents[4] / "shared"


@pytest.fixture
def repo(tmp_path: Path) -> Sandbox:
    """A repository with a worktree, on `main`, without commits."""
    return Sandbox(tmp_path / "repo")


@pytest.fixture
def imports() -> Imports:
    """An empty log to import into."""
    return Imports()


@pytest.fixture(scope="session")
def real_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the shape of a real one: 11,077 commits, 28 branches, 76 tags."""
    tool = SHARED / "tools" / "rebuild_repo.py"
    if not tool.is_file():
        pytest.skip("the real history is not here (../shared beside the repository)")
    target = tmp_path_factory.mktemp("real") / "history"
    subprocess.run([sys.executable, str(tool), str(target)], check=True)
    return target
