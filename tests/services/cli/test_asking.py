"""The command's end of the socket: what it asks, and how it goes on where nobody answers well."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from services.cli import asking
from services.cli.catalog import ASKS, NO_SERVER, asks
from services.runtime.question_socket import NAME, receive, send
from tests.services.cli.test_main import ALL
from tests.services_fixtures import Run

CALL: Final = ("releases", "acme/widget")
#: All that only asks. A command that writes must never stand here.
ASKING: Final = {
    *("report", "pr", "edition", "why", "included", "releases", "release show", "roadmap show"),
    *("release alias list", "themes suggest", "review", "repositories list", "curate list"),
    *("deadletters list", "deadletters show"),
}
TAKEN: Final = b'{"taken": true}'
TOLD: Final = b'{"code": 0, "said": [[1, "all of it\\n"], [2, "beside\\n"], [1, "more\\n"]]}'


@contextmanager
def answering(folder: Path, answer: Callable[[socket.socket], object]) -> Iterator[None]:
    """Listen in a folder and do so with whoever comes."""
    folder.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / NAME))
        listening.listen()

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    answer(connection)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def question_of(connection: socket.socket) -> Any:
    return json.loads(receive(connection, 1 << 20))


def say(*messages: bytes) -> Callable[[socket.socket], object]:
    """Return what hears a question and then says these."""

    def answer(connection: socket.socket) -> None:
        question_of(connection)
        for message in messages:
            send(connection, message)

    return answer


def cut_off(connection: socket.socket) -> None:
    """Hear a question, and go in the middle of the answer."""
    question_of(connection)
    send(connection, TAKEN)
    connection.sendall(len(TOLD).to_bytes(8, "big") + TOLD[:40])


def test_every_command_that_only_asks_can_be_asked_of_a_process_and_no_other() -> None:
    options = {
        name
        for name, command in ALL
        if any(NO_SERVER in parameter.opts for parameter in command.params)
    }
    assert options == ASKING
    groups = {name for name, command in ALL if hasattr(command, "commands")}
    asked = {name for name, _ in ALL if asks(name.split()) and name not in groups}
    assert asked == ASKING
    assert {" ".join(words) for words in ASKS} <= {name for name, _ in ALL}


@pytest.mark.parametrize(
    "words",
    [
        "curate hide acme/widget 4",
        "release alias add 1 2",
        "release alias remove 1",
        "roadmap decide acme/widget 1 2",
        "roadmap acknowledge acme/widget 1",
        "repositories join a b",
        "deadletters retry",
        "verify file",
        "publish acme/widget",
        "up",
        "--version",
        "",
        "report acme/widget --help",
        "report acme/widget --receipt=here",
        "report acme/widget --compare-edition here",
        "report acme/widget --no-server",
    ],
)
def test_what_writes_or_names_files_is_not_asked(words: str) -> None:
    assert not asks(words.split())


def test_an_answer_is_printed_in_its_order_and_ends_with_its_code(
    shipledger: Run, data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with answering(data, say(TAKEN, TOLD.replace(b'"code": 0', b'"code": 3'))):
        assert asking.ask(CALL) == 3
    assert capfd.readouterr() == ("all of it\nmore\n", "beside\n")


def test_a_large_answer_arrives_whole(
    shipledger: Run, data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "ŵidget \u2028 " * 700_000
    told = json.dumps({"code": 0, "said": [[1, text]]}).encode()
    with answering(data, say(TAKEN, told)):
        assert asking.ask(CALL) == 0
    assert capfd.readouterr().out == text


@pytest.mark.parametrize(
    "answer",
    [
        say(),
        say(b'{"refused": "busy"}'),
        say(TAKEN),
        say(TAKEN, b'{"refused": "it is not to be done here"}'),
        say(TAKEN, b"[1]"),
        say(TAKEN, b"no JSON"),
        say(TAKEN, b'{"code": 0}'),
        say(TAKEN, b'{"code": 0, "said": [[1, "half"], 7]}'),
        say(TAKEN, b'{"code": null, "said": [[1, "half"]]}'),
        say(b"{}", TOLD),
        cut_off,
        lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    ],
)
def test_without_a_whole_answer_nothing_is_printed_and_the_command_goes_on(
    shipledger: Run,
    data: Path,
    capfd: pytest.CaptureFixture[str],
    answer: Callable[[socket.socket], object],
) -> None:
    with answering(data, answer):
        assert asking.ask(CALL) is None
    assert capfd.readouterr() == ("", "")


def test_nobody_is_waited_for_who_takes_no_notice(
    shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_NOTICE", 0.1)
    data.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(data / NAME))
        assert asking.ask(CALL) is None  # a stale one: nobody listens
        listening.listen()
        assert asking.ask(CALL) is None  # nobody accepts


def test_an_answer_that_never_comes_is_given_up(
    shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_PATIENCE", 0.1)
    gone = threading.Event()

    def wait(connection: socket.socket) -> None:
        say(TAKEN)(connection)
        gone.wait(5)

    with answering(data, wait):
        assert asking.ask(CALL) is None
        gone.set()


def test_a_process_of_another_user_is_told_nothing(
    shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[bytes] = []
    ours = os.geteuid()
    with answering(data, lambda connection: heard.append(connection.recv(1))):
        monkeypatch.setattr(os, "geteuid", lambda: ours + 1)
        assert asking.ask(CALL) is None
    assert heard == [b""]


def test_without_a_process_nothing_is_asked(shipledger: Run, data: Path) -> None:
    assert asking.ask(CALL) is None
    assert not data.exists()


def test_standard_output_in_another_encoding_is_written_by_the_command_itself(
    shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering(data, say(TAKEN, TOLD)), open(os.devnull, "w", encoding="latin-1") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert asking.ask(CALL) is None


@pytest.mark.parametrize("how", ["option", "joined option", "variable", "configuration", "usual"])
def test_the_process_is_found_wherever_the_data_folder_is_named(
    shipledger: Run, data: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    asked: list[Any] = []

    def answer(connection: socket.socket) -> None:
        asked.append(question_of(connection))
        send(connection, TAKEN)
        send(connection, b'{"code": 7, "said": []}')

    monkeypatch.delenv("SHIPLEDGER_DATA")
    here = data.parent
    folder = here / "shipledger-data" if how == "usual" else data
    option = {"option": ("--data", "ledger"), "joined option": (f"--data={data}",)}.get(how, ())
    if how == "variable":
        monkeypatch.setenv("SHIPLEDGER_DATA", "ledger")
    if how == "configuration":
        (here / "config").mkdir()
        (here / "config" / "shipledger.toml").write_text('data = "../ledger"\n')
        monkeypatch.setenv("SHIPLEDGER_CONFIG", "config/shipledger.toml")
    with answering(folder, answer):
        assert asking.ask((*CALL, *option)) == 7
    assert asked[0]["folder"] == str(here)
    assert asked[0]["arguments"] == [*CALL, *option]


def test_a_configuration_that_cannot_be_read_is_left_to_the_command(
    shipledger: Run, data: Path
) -> None:
    (data.parent / "shipledger.toml").write_text("data = [broken\n")
    with answering(data, say(TAKEN, TOLD)):
        assert asking.ask(CALL) is None


def test_ctrl_c_ends_the_waiting(data: Path) -> None:
    begun, end = threading.Event(), threading.Event()

    def wait(connection: socket.socket) -> None:
        say(TAKEN)(connection)
        begun.set()
        end.wait(20)

    with answering(data, wait):
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli.main", *CALL, "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert begun.wait(20)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        end.set()
    assert (process.returncode, out, err) == (130, "", "error: stopped\n")


def test_who_has_stopped_reading_ends_it_quietly(data: Path) -> None:
    told = json.dumps({"code": 0, "said": [[1, "word " * 100_000]]}).encode()
    with answering(data, say(TAKEN, told)):
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli.main", *CALL, "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(20) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.stderr.close()
