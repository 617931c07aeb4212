"""The answering end of the socket: who is answered, what is refused, and how it begins and ends."""

import json
import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from services.runtime import question_server
from services.runtime.data_folder import DataFolder
from services.runtime.program import program_stamp
from services.runtime.question_server import Answer, Question, questions_answered
from services.runtime.question_socket import NAME, address_in, plain, receive, send

SOURCE: Final = "the-settings"
ASKED: Final[dict[str, Any]] = {
    "program": program_stamp(),
    "source": SOURCE,
    "arguments": ["releases"],
    "folder": "/",
    "data": "ledger",
}


def repeat(question: Question) -> Answer:
    """Say the arguments again."""
    return Answer(code=0, said=((1, " ".join(question.arguments)),))


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    """A data folder that does not exist yet."""
    return DataFolder(tmp_path / "ledger")


@contextmanager
def connected(folder: DataFolder) -> Iterator[socket.socket]:
    """Connect to whoever listens in a folder."""
    with address_in(str(folder.path)) as address, socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(address)
        yield connection


def heard(connection: socket.socket) -> dict[str, Any]:
    return plain(receive(connection, 1 << 30))


def ask(folder: DataFolder, **other: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Ask; return what is said at once, and the answer if there is one."""
    with connected(folder) as connection:
        send(connection, json.dumps({**ASKED, **other}).encode())
        first = heard(connection)
        return first, heard(connection) if first.get("taken") else None


def test_the_socket_is_its_users_and_goes_with_the_process(folder: DataFolder) -> None:
    with questions_answered(folder, "up", SOURCE, repeat):
        mode = (folder.path / NAME).lstat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
        assert ask(folder) == ({"taken": True}, {"code": 0, "said": [[1, "releases"]]})
    assert not (folder.path / NAME).exists()


@pytest.mark.parametrize("other", [{"program": "older"}, {"source": "other settings"}])
def test_another_program_and_other_settings_are_refused(
    folder: DataFolder, other: dict[str, str]
) -> None:
    with questions_answered(folder, "up", SOURCE, repeat):
        first, answer = ask(folder, **other)
    assert "taken" not in first
    assert answer is None


def test_a_process_without_known_settings_answers_nobody(folder: DataFolder) -> None:
    with questions_answered(folder, "up", "", repeat):
        assert ask(folder)[1] is None


@pytest.mark.parametrize("sent", [b"{}", b"[]", b"no JSON", b'{"program": 1}', b"\xff"])
def test_what_is_no_question_gets_no_answer_and_harms_nobody(
    folder: DataFolder, sent: bytes
) -> None:
    with questions_answered(folder, "up", SOURCE, repeat):
        with connected(folder) as connection:
            send(connection, sent)
            assert connection.recv(1) == b""
        with connected(folder) as connection:
            connection.sendall(b"\xff" * 8)  # a message longer than there is memory
            assert connection.recv(1) == b""
        assert ask(folder)[1] is not None


def test_another_user_is_not_answered(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_server, "is_same_user", lambda _: False)
    with questions_answered(folder, "up", SOURCE, repeat), connected(folder) as connection:
        assert connection.recv(1) == b""


def test_a_fault_breaks_off_before_anything_is_said(folder: DataFolder) -> None:
    def fail(_: Question) -> Answer:
        raise ZeroDivisionError

    with questions_answered(folder, "up", SOURCE, fail), connected(folder) as connection:
        send(connection, json.dumps(ASKED).encode())
        assert heard(connection) == {"taken": True}
        assert connection.recv(1) == b""


def test_a_socket_that_was_left_behind_is_replaced(folder: DataFolder) -> None:
    folder.make()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(folder.path / NAME))
    with questions_answered(folder, "up", SOURCE, repeat):
        assert ask(folder)[1] is not None


def test_a_second_process_of_a_folder_goes_on_without(folder: DataFolder) -> None:
    with questions_answered(folder, "api", SOURCE, repeat):
        with questions_answered(folder, "api", "other", repeat):
            assert ask(folder)[1] is not None
        assert ask(folder)[1] is not None


def test_a_folder_that_cannot_be_written_is_gone_on_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with questions_answered(DataFolder(tmp_path / "file" / "ledger"), "api", SOURCE, repeat):
        pass


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs Linux's /proc")
def test_the_path_may_be_longer_than_that_of_a_socket(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / ("long" * 40))
    with questions_answered(folder, "up", SOURCE, repeat):
        assert ask(folder)[1] is not None
    assert not (folder.path / NAME).exists()


def test_several_are_answered_at_once_and_too_many_refused(folder: DataFolder) -> None:
    under_way = threading.Barrier(5)

    def wait(question: Question) -> Answer:
        under_way.wait(10)
        return repeat(question)

    with questions_answered(folder, "up", SOURCE, wait):
        answers: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
        askers = [in_a_thread(lambda: answers.append(ask(folder))) for _ in range(4)]
        waited_for(lambda: under_way.n_waiting == 4)
        assert ask(folder)[0] == {"refused": "too many at once"}
        under_way.wait(10)
        for asker in askers:
            asker.join(10)
        assert [answer is not None for _, answer in answers] == [True] * 4


def test_the_end_waits_for_answers_under_way_and_breaks_off_what_hangs(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_server, "_GRACE", 0.5)
    begun, end = threading.Event(), threading.Event()

    def hang(question: Question) -> Answer:
        begun.set()
        end.wait(10)
        return repeat(question)

    for hangs in (False, True):
        begun.clear()
        end.clear()
        outcome: list[object] = []
        with questions_answered(folder, "up", SOURCE, hang):
            asker = in_a_thread(lambda: outcome.append(answer_or_end(folder)))  # noqa: B023
            assert begun.wait(10)
            if not hangs:
                threading.Timer(0.1, end.set).start()
        asker.join(10)
        assert outcome == (["cut off"] if hangs else [{"code": 0, "said": [[1, "releases"]]}])
        end.set()


def test_an_answer_that_nobody_takes_is_dropped(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_server, "_TALK", 0.2)
    large = Answer(code=0, said=((1, "word" * 1_000_000),))
    with questions_answered(folder, "up", SOURCE, lambda _: large), connected(folder) as deaf:
        send(deaf, json.dumps(ASKED).encode())
        assert heard(deaf) == {"taken": True}
        waited_for(lambda: not any(thread.name.startswith("question of") for thread in alive()))


def answer_or_end(folder: DataFolder) -> object:
    try:
        return ask(folder)[1]
    except OSError:
        return "cut off"


def alive() -> list[threading.Thread]:
    return threading.enumerate()


def in_a_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def waited_for(true: Callable[[], bool]) -> None:
    deadline = threading.Event()
    for _ in range(200):
        if true():
            return
        deadline.wait(0.05)
    raise AssertionError("not so after ten seconds")
