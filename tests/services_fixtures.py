"""The whole program for tests: as a process, and as commands in this one."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from services.cli.commands import cli
from services.simulator import World, simulate
from tests import forked
from tests.service_process import Shipledger, environment

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def small_world() -> World:
    """A world of some forty pull requests over three months, from 2026-05-01."""
    return simulate(5, pulls=40, days=90)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "ledger"


@pytest.fixture
def up(data: Path) -> Iterator[Shipledger]:
    """`shipledger up` on that folder, ended in order afterwards."""
    running = Shipledger(data)
    yield running
    if running.process.poll() is None:
        assert running.stop() == 0, running.errors


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.skip("Chromium is not installed")


@pytest.fixture
def shipledger(data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: `shipledger("report", …)` gives click's result.

    Our own errors stay exceptions in it; `tests/services/cli/test_main.py` sees how they end.
    """
    return commands_on(data, monkeypatch)


def commands_on(data: Path, patch: pytest.MonkeyPatch) -> Run:
    """Return what runs commands in this process, on a data folder and from the folder it is in."""
    patch.chdir(data.parent)
    for name in os.environ:
        if name.startswith("SHIPLEDGER"):
            patch.delenv(name)
    for name, value in environment(data).items():
        if name.startswith("SHIPLEDGER"):
            patch.setenv(name, value)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(cli, arguments)

    return run


def pytest_sessionfinish() -> None:
    """End what the processes of the program were forked from."""
    forked.end()
