"""The real history of ../shared, where it lies beside the repository; built once, in .cache."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
NAME = "NVIDIA/Megatron-LM"
BRANCHES = ("main", "dev", "core_r0.*")
"""The branches over which the published figures were compared."""


def rebuilt() -> Path:
    """Return a repository with its shape: 11,077 commits, 28 branches, 76 tags.

    Skips the asking test where the data is absent. Nobody may write into the repository.
    """
    tool = SHARED / "tools" / "rebuild_repo.py"
    if not tool.is_file():
        pytest.skip("the real history is not here (../shared beside the repository)")
    kept = ROOT / ".cache" / "real_history"
    if not (kept / "map.json").is_file():
        making = kept.with_name("real_history.making")
        shutil.rmtree(making, ignore_errors=True)
        making.parent.mkdir(exist_ok=True)
        subprocess.run([sys.executable, str(tool), str(making)], check=True)
        shutil.rmtree(kept, ignore_errors=True)
        making.rename(kept)
    return kept


@pytest.fixture(scope="session")
def real_history() -> Path:
    """The real history as a git repository, read only."""
    return rebuilt()
