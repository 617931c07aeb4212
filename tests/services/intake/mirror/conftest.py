"""One remote with two commits, its mirror, and remotes that hang."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.services.intake.git.sandbox import Sandbox
from tests.services.intake.mirror.mirroring import Mirroring, script
from tests.services.intake.mirror.running import Running


@pytest.fixture
def origin(tmp_path: Path) -> Sandbox:
    """A repository that lets its clones leave out blobs."""
    sandbox = Sandbox(tmp_path / "origin")
    sandbox.git("config", "uploadpack.allowFilter", "true")
    sandbox.commit("Begin", a="1")
    sandbox.commit("Change (#1)", a="2", b="2")
    return sandbox


@pytest.fixture
def mirroring(origin: Sandbox, tmp_path: Path) -> Mirroring:
    """A mirror that has not fetched yet."""
    return Mirroring(origin, tmp_path / "mirror")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """A log on the disk, and mirrors into it."""
    found = Running(tmp_path)
    yield found
    found.log.close()


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make every ssh remote hang; the process ids of what hangs stand in the file returned."""
    pids = tmp_path / "pids"
    ssh = script(tmp_path / "ssh", f"echo $$ >> {pids}\nexec sleep 600")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    yield pids
    for pid in pids.read_text().split() if pids.exists() else ():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
