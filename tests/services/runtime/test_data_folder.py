"""Holding the data folder."""

import multiprocessing
import os
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from events.errors import ConfigurationError
from services.runtime.data_folder import DataFolder, FolderHeld, Role

_SPAWN = multiprocessing.get_context("spawn")


def hold(path: Path, role: Role, holding: Event, let_go: Event) -> None:
    """Hold the folder in another process until told."""
    with DataFolder(path).held(role):
        holding.set()
        let_go.wait(30)


def test_a_second_holder_is_told_the_process_of_the_first(tmp_path: Path) -> None:
    holding, let_go = _SPAWN.Event(), _SPAWN.Event()
    other = _SPAWN.Process(target=hold, args=(tmp_path, "up", holding, let_go))
    other.start()
    assert holding.wait(30)
    with pytest.raises(FolderHeld) as raised, DataFolder(tmp_path).held("command", patience=30):
        pass
    assert (raised.value.pid, raised.value.role) == (other.pid, "up")
    assert str(other.pid) in str(raised.value)
    let_go.set()
    other.join()
    with DataFolder(tmp_path).held("up"):
        assert DataFolder(tmp_path).lock.read_text() == f"{os.getpid()} up\n"


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    holding, let_go = _SPAWN.Event(), _SPAWN.Event()
    other = _SPAWN.Process(target=hold, args=(tmp_path, "up", holding, let_go))
    other.start()
    assert holding.wait(30)
    other.kill()
    other.join()
    with DataFolder(tmp_path).held("command"):
        pass


def test_a_mere_command_is_waited_for(tmp_path: Path) -> None:
    holding, let_go = _SPAWN.Event(), _SPAWN.Event()
    other = _SPAWN.Process(target=hold, args=(tmp_path, "command", holding, let_go))
    other.start()
    assert holding.wait(30)
    with pytest.raises(FolderHeld), DataFolder(tmp_path).held("command"):
        pass
    let_go.set()
    started = time.monotonic()
    with DataFolder(tmp_path).held("command", patience=30):
        assert time.monotonic() - started < 30
    other.join()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = DataFolder(tmp_path / "file" / "below")
    with pytest.raises(ConfigurationError, match="SHIPLEDGER_DATA"):
        folder.make()
