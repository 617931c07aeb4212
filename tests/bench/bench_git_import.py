"""How long does an import take, in times of `git log --name-status` of the same clone? Aim: 5.

Prints the ratio and never judges it: times are for reading, not for passing.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.timing import fastest
from tests.places import SHARED
from tests.services.intake.git.sandbox import Imports

ROUNDS = 3


def _git_log(path: Path) -> None:
    command = ["git", "log", "--all", "--name-status"]
    subprocess.run(command, cwd=path, stdout=subprocess.DEVNULL, check=True)


@pytest.mark.bench
def test_import_against_git_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tool = SHARED / "tools" / "rebuild_repo.py"
    if not tool.is_file():
        pytest.skip("the real history is not here (../shared beside the repository)")
    history = tmp_path / "history"
    subprocess.run([sys.executable, str(tool), str(history)], check=True)
    log = fastest(lambda: _git_log(history), rounds=ROUNDS)
    first = fastest(lambda: Imports().run(history), rounds=ROUNDS)
    known = Imports()
    known.run(history)
    again = fastest(lambda: known.run(history), rounds=ROUNDS)
    with capsys.disabled():
        print(f"\ngit log --name-status {log:.2f} s; import {first:.2f} s, ratio {first / log:.2f}")
        print(f"import again {again:.2f} s, ratio {again / log:.2f}")
