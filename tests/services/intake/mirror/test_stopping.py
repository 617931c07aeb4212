"""Mirrors that are stopped, take too long, or are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from services.intake.mirror import MirrorStopped, RemoteTooSlow
from tests.places import ROOT
from tests.services.intake.git.sandbox import Sandbox
from tests.services.intake.mirror.mirroring import Mirroring, script, target
from tests.services.intake.mirror.running import Running, is_running, until


def test_stopping_ends_a_fetch_with_all_its_processes(running: Running, hanging: Path) -> None:
    mirror = running.mirror(target("ssh://host.invalid/x"))
    mirror.start(on_fault=lambda: None)
    until(hanging.exists)
    until(lambda: hanging.read_text().strip())
    pid = int(hanging.read_text().split()[0])
    assert is_running(pid)
    started = time.monotonic()
    assert mirror.stop()
    assert time.monotonic() - started < 10
    until(lambda: not is_running(pid), seconds=5)
    assert running.fetches() == 0


def test_a_fetch_that_takes_too_long_is_ended_and_tried_again_later(
    origin: Sandbox, tmp_path: Path, hanging: Path
) -> None:
    mirroring = Mirroring(origin, tmp_path / "mirror")
    mirroring.worker = mirroring.worker_of(target("ssh://host.invalid/x", time_limit=1.0))
    with pytest.raises(RemoteTooSlow, match=r"more than 1 s"):
        mirroring.fetch()
    assert mirroring.counted("too_slow") == 1
    until(lambda: not is_running(int(hanging.read_text().split()[0])), seconds=5)


def test_what_is_stopped_before_it_begins_starts_nothing(mirroring: Mirroring) -> None:
    mirroring.stopping.set()
    with pytest.raises(MirrorStopped):
        mirroring.fetch()
    assert mirroring.counted("failed") == 0


WRITER = """
import sys
from pathlib import Path
from tests.services.intake.mirror.running import LONG, Running
from tests.services.intake.mirror.mirroring import target
Running(Path(sys.argv[1])).mirror(target(sys.argv[2], interval=LONG)).run()
"""


#: Answers once (which branch is the default one?), then breaks off in the middle of the pack.
BREAKING_OFF = """
echo $$ >> {pids}
cut -d ' ' -f 5 /proc/$$/stat >> {groups}
while [ $# -gt 1 ]; do shift; done
[ $(wc -l < {pids}) -eq 1 ] && exec sh -c "$1"
sh -c "$1" | (dd bs=1 count={after} status=none; echo sent > {sent}; exec sleep 10)
"""


@pytest.fixture
def groups(tmp_path: Path) -> Iterator[Path]:
    """A file of process groups, of git and of what it started, which are ended afterwards.

    The remote of the test never ends by itself, and whoever was killed ends nobody.
    """
    file = tmp_path / "groups"
    yield file
    for group in set(file.read_text().split()):
        with suppress(ProcessLookupError):
            os.killpg(int(group), signal.SIGKILL)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("after", [0, 500, 900])
def test_a_mirror_killed_in_the_middle_of_a_fetch_goes_on_where_it_was(
    origin: Sandbox,
    running: Running,
    tmp_path: Path,
    groups: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: bool,
    after: int,
) -> None:
    if not first:
        running.mirror(target(origin.path)).once()
        origin.commit("Next (#2)", a="3")
        state = tmp_path / "mirror" / "github.com%2F1001" / "state.json"
        state.unlink()  # so that it fetches at once
    sent = tmp_path / "sent"
    text = BREAKING_OFF.format(pids=tmp_path / "pids", groups=groups, after=after, sent=sent)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script(tmp_path / "ssh", text)))
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), f"ssh://host.invalid{origin.path}"],
        cwd=ROOT,
    )
    try:
        until(sent.exists)
    finally:
        process.kill()
        process.wait()
    (outcome,) = running.mirror(target(origin.path)).once()
    assert not isinstance(outcome, Exception)
    assert outcome.outcome == "changed"
    assert (b"Next (#2)" in running.bodies()) is not first
    assert running.bodies().count(b'"subject":"Begin"') == 1
