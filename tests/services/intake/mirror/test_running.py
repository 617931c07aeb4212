"""Mirrors that run: asked by the log, by the timer, side by side, one at a time in a folder."""

import threading
import time
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from events.errors import BrokenLog, LogUnavailable
from events.log.memory import MemoryLog
from events.log.port import Cursor
from events.record import Entry
from services.intake.mirror import Mirror
from services.logs.sqlite import SqliteLog
from services.runtime.clock import wall_clock
from services.runtime.data_folder import FolderHeld, hold
from services.runtime.telemetry import Metrics
from tests.services.intake.git.sandbox import REPOSITORY, Sandbox
from tests.services.intake.mirror.mirroring import push_record, script, target
from tests.services.intake.mirror.running import LONG, OTHER, Running, until


def test_a_push_record_causes_a_fetch_long_before_the_timer(
    origin: Sandbox, running: Running
) -> None:
    with running.started(target(origin.path, interval=LONG)):
        until(lambda: running.fetches() == 1)
        sha = origin.commit("Next (#2)", a="3")
        running.log.append([push_record("refs/heads/main", sha, wall_clock())])
        until(lambda: b"Next (#2)" in running.bodies())
        time.sleep(1.5)  # its own records ask for nothing
    assert running.fetches() == 2


def test_the_timer_finds_what_no_webhook_told(origin: Sandbox, running: Running) -> None:
    with running.started(target(origin.path, interval=1.0)):
        until(lambda: running.fetches() == 1)
        for number in range(5):
            origin.git("tag", f"v{number}")
        until(lambda: all(b"refs/tags/v%d" % n in running.bodies() for n in range(5)))


def test_a_restart_fetches_only_if_something_asked_meanwhile(
    origin: Sandbox, running: Running
) -> None:
    what = target(origin.path, interval=LONG)
    running.log.append([push_record("refs/heads/main", origin.sha("main"), wall_clock())])
    with running.started(what):
        until(lambda: running.fetches() == 1)
    with running.started(what):
        time.sleep(2.0)
    assert running.fetches() == 1
    sha = origin.commit("Next (#2)", a="3")
    running.log.append([push_record("refs/heads/main", sha, wall_clock())])
    with running.started(what):
        until(lambda: b"Next (#2)" in running.bodies())
    assert running.fetches() == 2


def test_two_repositories_at_once_and_one_that_hangs_delays_nobody(
    origin: Sandbox, running: Running, tmp_path: Path, hanging: Path
) -> None:
    second = Sandbox(tmp_path / "second")
    second.commit("Of the other (#9)", a="1")
    targets = [
        target("ssh://host.invalid/x", repository="github.com/1003", full_name="acme/away"),
        target(origin.path),
        target(second.path, repository=OTHER, full_name="acme/other"),
    ]
    with running.started(*targets):
        until(lambda: b"Of the other (#9)" in running.bodies(OTHER))
        until(lambda: b"Change (#1)" in running.bodies())
        until(hanging.exists)
    assert b"Of the other" not in running.bodies()
    assert "github.com/1003" not in running.log.ends()


def test_a_fetch_over_ssh_gives_what_a_path_gives(
    origin: Sandbox, running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = script(tmp_path / "ssh", 'while [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"')
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    running.mirror(target(f"git@host.invalid:{origin.path}")).once()
    assert b"Change (#1)" in running.bodies()


def test_only_one_process_mirrors_into_a_folder_and_another_takes_over(
    origin: Sandbox, running: Running, tmp_path: Path
) -> None:
    folder = tmp_path / "mirror"
    folder.mkdir()
    with hold(folder, folder / "lock", "mirror"):
        with pytest.raises(FolderHeld, match="shipledger mirror"):
            running.mirror(target(origin.path)).once()
        waiting = running.mirror(target(origin.path))
        waiting.start(on_fault=lambda: None)
        time.sleep(0.3)
        assert running.fetches() == 0
    until(lambda: running.fetches() == 1)
    assert waiting.stop()


class _Broken(MemoryLog):
    def read(self, *_: object, **__: object) -> list[Entry]:
        raise BrokenLog("positions are not what they were")


def test_a_broken_log_ends_the_mirror_and_is_told(origin: Sandbox, tmp_path: Path) -> None:
    log = _Broken(wall_clock)
    log.append([push_record("refs/heads/main", origin.sha("main"), wall_clock())])
    told = threading.Event()
    mirror = Mirror(
        tmp_path / "mirror",
        [target(origin.path)],
        log=log,
        clock=wall_clock,
        metrics=Metrics(CollectorRegistry()),
    )
    mirror.start(on_fault=told.set)
    assert told.wait(10)
    assert mirror.stop()
    assert mirror.faulted


def test_a_cursor_beyond_the_log_is_set_back(origin: Sandbox, running: Running) -> None:
    for number in range(3):
        running.log.append([push_record("refs/heads/x", origin.sha("main"), number)])
    with running.started(target(origin.path, interval=LONG)):
        until(lambda: running.fetches() == 1)
    running.log.close()
    (running.folder / "log.sqlite").unlink()
    running.log = SqliteLog(running.folder / "log.sqlite", clock=wall_clock)
    running.log.append([push_record("refs/heads/main", origin.sha("main"), wall_clock())])
    with running.started(target(origin.path, interval=LONG)):
        until(lambda: b"Change (#1)" in running.bodies())
    assert running.log.read(REPOSITORY, Cursor(0, 0))


class _Away(MemoryLog):
    """Cannot be read a few times."""

    refusals = 2

    def ends(self) -> dict[str, int]:
        if self.refusals:
            self.refusals -= 1
            raise LogUnavailable("locked")
        return super().ends()


def test_a_log_that_is_away_for_a_moment_is_waited_for(origin: Sandbox, tmp_path: Path) -> None:
    log = _Away(wall_clock)
    metrics = Metrics(CollectorRegistry())
    mirror = Mirror(
        tmp_path / "m", [target(origin.path)], log=log, clock=wall_clock, metrics=metrics
    )
    mirror.start(on_fault=lambda: None)
    until(lambda: not log.refusals and log.ends())
    assert mirror.stop()
    assert not mirror.faulted
