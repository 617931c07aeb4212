"""Commands beside a running `up`: asked or not, they say the same."""

import fcntl
import os
import pty
import struct
import termios
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from services.runtime.question_socket import NAME
from services.simulator import World
from tests.forked import Forked
from tests.production import wait_until
from tests.service_process import Shipledger, command, environment

REPORT: Final = ("report", "acme/widget", "--period", "2026-06")
#: Without it, a life is told until now.
THEN: Final = ("--as-of", "2026-07-20T00:00:00Z")
CALLS: Final = (
    REPORT,
    ("pr", "acme/widget", "7", *THEN, "--json"),
    ("pr", "acme/widget", "99999"),
    ("repositories", "list"),
    ("report", "acme/widget", "--period", "June"),
)
Told = tuple[int, str, str]


@contextmanager
def answered(up: Shipledger, calls: int) -> Iterator[None]:
    """See that `up` answers so many calls of what is done inside."""
    before = up.errors.count("questions.answered")
    yield
    wait_until(lambda: up.errors.count("questions.answered") >= before + calls, 10)
    assert up.errors.count("questions.answered") == before + calls


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, small_world: World) -> Iterator[Shipledger]:
    """`up` that has taken in a world."""
    up = Shipledger(tmp_path_factory.mktemp("asked") / "ledger", SHIPLEDGER_LOG_LEVEL="DEBUG")
    assert set(up.deliver(small_world.deliveries)) <= {200, 202}
    up.settle()
    yield up
    assert up.stop() == 0, up.errors


def told(*words: str, data: Path, cwd: Path | None = None, **more: str) -> Told:
    """Return what a command says, and its exit code."""
    done = command(*words, data=data, more=more, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_asked_and_by_itself_a_command_says_the_same(
    running: Shipledger, words: tuple[str, ...]
) -> None:
    with answered(running, 1):
        asked = told(*words, data=running.data)
        assert asked == told(*words, "--no-server", data=running.data)
    assert asked[1] or asked[2]


def test_it_is_asked_from_any_folder(running: Shipledger, tmp_path: Path) -> None:
    by_itself = told(*REPORT, "--no-server", data=running.data)
    beside = os.path.relpath(running.data, tmp_path)
    with answered(running, 2):
        assert told(*REPORT, data=Path(beside), cwd=tmp_path) == by_itself
        assert told(*REPORT, "--data", beside, data=Path("nowhere"), cwd=tmp_path) == by_itself


def test_files_are_those_of_the_caller(running: Shipledger, tmp_path: Path) -> None:
    words = (*REPORT, "--receipt", "june.json")
    with answered(running, 0):
        assert told(*words, data=running.data, cwd=tmp_path)[0] == 0
        assert told("verify", "june.json", data=running.data, cwd=tmp_path)[0] == 0


def test_other_settings_are_answered_by_the_command_itself(
    running: Shipledger, tmp_path: Path
) -> None:
    (tmp_path / "shipledger.toml").write_text('zone = "Asia/Shanghai"\n')
    with answered(running, 0):
        asked = told(*REPORT, data=running.data, cwd=tmp_path)
    assert asked == told(*REPORT, "--no-server", data=running.data, cwd=tmp_path)
    assert "Asia/Shanghai" in asked[1]
    assert "Asia/Shanghai" not in told(*REPORT, data=running.data)[1]


def test_several_are_answered_at_once(running: Shipledger) -> None:
    by_itself = told(*REPORT, "--no-server", data=running.data)
    with ThreadPoolExecutor(6) as pool:
        asked = list(pool.map(lambda _: told(*REPORT, data=running.data), range(12)))
    assert asked == [by_itself] * 12


@pytest.mark.parametrize("colours", [True, False])
def test_at_a_terminal_lines_are_folded_and_coloured_alike(
    running: Shipledger, colours: bool
) -> None:
    more = {"TERM": "xterm"} | ({} if colours else {"NO_COLOR": "1"})
    words = ("pr", "acme/widget", "7", *THEN)
    with answered(running, 1):
        asked = at_terminal(words, running.data, more)
    assert asked == at_terminal((*words, "--no-server"), running.data, more)
    assert (b"\x1b[" in asked) is colours
    assert max(map(len, told(*words, data=running.data)[1].splitlines())) > 60


def test_a_decision_is_recorded_by_the_command_itself(running: Shipledger) -> None:
    with answered(running, 0):
        decided = told("curate", "exclude", "acme/widget", "7", "kept", data=running.data)
    assert decided[0] == 0
    running.settle()
    listed = told("curate", "list", "acme/widget", data=running.data)
    assert "7" in listed[1]
    assert listed == told("curate", "list", "acme/widget", "--no-server", data=running.data)


def test_a_first_draft_is_recorded_by_the_command_itself_and_asked_for_from_then_on(
    running: Shipledger,
) -> None:
    words = ("edition", "acme/widget", "--period", "2026-06")
    with answered(running, 0):
        first = told(*words, data=running.data)
    assert "themes: recorded" in first[2]
    running.settle()
    with answered(running, 1):
        later = told(*words, data=running.data)
    assert later == told(*words, "--no-server", data=running.data)
    assert later[1] == first[1]
    assert "themes: recorded" not in later[2]
    with answered(running, 0):
        assert told(*words, "--regroup", data=running.data)[0] == 0


def test_after_a_kill_the_command_goes_on_by_itself_and_the_next_up_answers(
    data: Path, small_world: World
) -> None:
    up = Shipledger(data)
    up.deliver(small_world.deliveries[:40])
    up.settle()
    words = ("repositories", "list")
    asked = told(*words, data=data)
    up.kill()
    assert (data / NAME).exists()
    assert told(*words, data=data) == asked
    again = Shipledger(data)
    assert told(*words, data=data) == asked
    assert again.stop() == 0
    assert not (data / NAME).exists()
    assert told(*words, data=data) == asked


def at_terminal(words: tuple[str, ...], data: Path, more: dict[str, str]) -> bytes:
    """Return what a command writes to a terminal of 60 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    written: list[bytes] = []

    def read() -> None:
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end was closed
                return
            if not part:
                return
            written.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    kept = {name: value for name, value in environment(data).items() if name != "COLUMNS"}
    process = Forked(
        "services.cli.main",
        words,
        env={**kept, **more},
        cwd=data.parent,
        stdout=theirs,
        stderr=theirs,
    )
    assert process.wait(60) == 0
    os.close(theirs)
    reader.join(20)
    os.close(ours)
    return b"".join(written)
