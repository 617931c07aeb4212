"""The real history of ../shared, where it lies beside the repository; built once, in .cache.

It is imported once a session, and the data folder copied for all who ask or write.
"""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.places import ROOT, SHARED
from tests.service_process import command

NAME = "NVIDIA/Megatron-LM"
BRANCHES = ("main", "dev", "core_r0.*")
"""The branches over which the published figures were compared."""

NewFolder: TypeAlias = Callable[[], Path]


def rebuilt() -> Path:
    """Return a repository with its shape: 11,077 commits, 28 branches, 76 tags.

    Skips the asking test where the data is absent. Nobody may write into the repository.
    """
    tool = SHARED / "tools" / "rebuild_repo.py"
    if not tool.is_file():
        pytest.skip("the real history is not here (../shared beside the repository)")
    kept = ROOT / ".cache" / "real_history"
    kept.parent.mkdir(exist_ok=True)
    with _alone(kept.with_name("real_history.lock")):
        if not (kept / "map.json").is_file():
            making = kept.with_name("real_history.making")
            shutil.rmtree(making, ignore_errors=True)
            subprocess.run([sys.executable, str(tool), str(making)], check=True)
            shutil.rmtree(kept, ignore_errors=True)
            making.rename(kept)
    return kept


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Keep other processes of the tests waiting."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def real_history() -> Path:
    """The real history as a git repository, read only."""
    return rebuilt()


@pytest.fixture(scope="session")
def imported_history(real_history: Path, tmp_path_factory: pytest.TempPathFactory) -> NewFolder:
    """Make data folders into which `import git` brought the real history."""
    kept = tmp_path_factory.mktemp("imported") / "ledger"
    done = command("import", "git", str(real_history), "--repo", NAME, data=kept)
    assert done.returncode == 0, done.stderr

    def copied() -> Path:
        return shutil.copytree(kept, tmp_path_factory.mktemp("real") / "ledger")

    return copied
