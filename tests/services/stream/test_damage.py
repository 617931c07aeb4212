"""Garbage where the read model should be: told in one line, with what to delete."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from services.cli.commands import run
from tests.services.intake.git.sandbox import Sandbox
from tests.services_fixtures import Run

WIDGET: Final = "acme/widget"


def _garbage(path: Path) -> None:
    path.write_bytes(b"garbage, " * 10_000)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _scribbled(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)


def _foreign(path: Path) -> None:
    """Tables of the same names in which everything else is different."""
    with closing(sqlite3.connect(path)) as ours:
        names = [name for (name,) in ours.execute("SELECT name FROM sqlite_schema WHERE rootpage")]
    path.unlink()
    with closing(sqlite3.connect(path)) as theirs:
        for name in names:
            if not name.startswith("sqlite_"):
                theirs.execute(f'CREATE TABLE IF NOT EXISTS "{name}" (other TEXT)')
        theirs.commit()


DAMAGES: Final = (_garbage, _cut, _scribbled, _foreign)
#: Each asks, or brings the read model up to date.
ASKING: Final = (
    ["report", WIDGET, "--period", "2024-06"],
    ["pr", WIDGET, "1"],
    ["included", WIDGET, "1"],
    ["releases", WIDGET],
    ["release", "show", WIDGET, "v1.0.0"],
    ["roadmap", WIDGET],
    ["edition", WIDGET, "--period", "2024-06"],
    ["why", WIDGET, "1", "--period", "2024-06"],
    ["review", WIDGET],
    ["repositories", "list"],
    ["themes", "suggest", WIDGET, "--period", "2024-06"],
    ["curate", "list", WIDGET],
    ["deadletters", "list"],
    ["projections", "status"],
    ["projections", "rebuild", "pull_requests"],
    ["up", "--port", "0"],
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a data folder is made once, to be copied."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def folder(shipledger: Run, data: Path, kept: Path, tmp_path: Path) -> Path:
    """A data folder with a release, and a read model without a `-wal`."""
    if not (kept / "ledger").exists():
        repo = Sandbox(tmp_path / "widget")
        repo.commit("Add a (#1)", a="1")
        repo.git("tag", "v1.0.0")
        assert shipledger("import", "git", "widget", "--repo", WIDGET).exit_code == 0
        assert shipledger("releases", WIDGET).exit_code == 0
        shutil.copytree(data, kept / "ledger")
        shutil.rmtree(data)
    shutil.copytree(kept / "ledger", data)
    return data


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_command_says_that_a_damaged_read_model_can_be_deleted(
    folder: Path, damage: Callable[[Path], None], capfd: pytest.CaptureFixture[str]
) -> None:
    path = folder / "read_model.sqlite"
    damage(path)
    damaged = path.read_bytes()
    told = {}
    for arguments in ASKING:
        path.write_bytes(damaged)
        for more in ("-wal", "-shm"):
            path.with_name(f"{path.name}{more}").unlink(missing_ok=True)
        code = run(arguments)
        lines = capfd.readouterr().err.splitlines()
        told[" ".join(arguments)] = (code, lines[-1] if lines else "", len(lines))
    assert {
        name: answer
        for name, answer in told.items()
        if answer[0] != 1 or f"delete {path.name}" not in answer[1] or answer[2] != 1
    } == {}
    path.unlink()
    assert run(["releases", WIDGET]) == 0


def test_doctor_names_it_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _garbage(folder / "read_model.sqlite")
    assert run(["doctor"]) == 1
    assert "delete read_model.sqlite" in capfd.readouterr().out.replace("\n", " ")
