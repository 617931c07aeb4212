"""Asks the process that runs on a data folder, before anything is imported that takes time.

`up` and `api` carry a command that only asks out as if they had been called with it, and send back
what it writes. It is printed when all of it is there; whatever goes wrong before, the command is
carried out here, as if nothing had been asked.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from services.cli.catalog import asks

#: Seconds to be taken notice of; a process that is so busy is no help.
_NOTICE: Final = 2.0
#: Seconds after which an answer is given up.
_PATIENCE: Final = 60.0
_LONGEST_NOTICE: Final = 1 << 16
_LONGEST_ANSWER: Final = 1 << 30


def ask(arguments: Sequence[str]) -> int | None:
    """Have a call answered and print it; return its exit code, None where it was not answered."""
    if not asks(arguments) or not _writes_utf8():
        return None
    try:
        answer = _answer(arguments)
        if answer is None:
            return None
        code, said = int(answer["code"]), [(int(to), str(text)) for to, text in answer["said"]]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    for to, text in said:
        stream = sys.stdout if to == 1 else sys.stderr
        stream.write(text)
        stream.flush()
    return code


def reader_has_gone() -> int:
    """Return the exit code where whoever read our output has gone; he is told nothing more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # also not at exit
    return 1


def columns() -> int:
    """Return how wide the terminal is."""
    import shutil

    return shutil.get_terminal_size().columns


def shows_colours() -> bool:
    """Tell whether a terminal shows colours. NO_COLOR is heeded: https://no-color.org"""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _writes_utf8() -> bool:
    return all(
        (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"
        for stream in (sys.stdout, sys.stderr)
    )


def _answer(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Return the answer of the process on the data folder; raise OSError where there is none."""
    from services.config.source import config_path, data_folder
    from services.runtime.question_socket import address_in

    path = config_path(os.environ)
    config = None
    if path is not None:
        with open(path, "rb") as file:
            config = file.read()
    usual = data_folder(None, os.environ, path, _decided_folder(config))
    with address_in(_named_folder(arguments) or usual) as address:
        return _spoken(address, lambda: _question(arguments, config, usual))


def _question(arguments: Sequence[str], config: bytes | None, usual: str) -> Mapping[str, object]:
    from services.config.source import source_digest
    from services.runtime.program import program_stamp

    where: dict[str, object] = {"out": sys.stdout.isatty(), "err": sys.stderr.isatty()}
    if where["out"]:
        where |= {"width": columns(), "colours": shows_colours()}
    return {
        "program": program_stamp(),
        "source": source_digest(os.environ, config),
        "arguments": list(arguments),
        "folder": os.getcwd(),
        "data": usual,
        **where,
    }


def _spoken(address: str, question: Callable[[], Mapping[str, object]]) -> dict[str, Any] | None:
    """Say the question and return the answer, None where it is refused; raise OSError."""
    import json
    import socket

    from services.runtime.question_socket import is_same_user, plain, receive, send

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_NOTICE)
        connection.connect(address)
        if not is_same_user(connection):
            return None
        send(connection, json.dumps(question()).encode())
        if not plain(receive(connection, _LONGEST_NOTICE)).get("taken"):
            return None
        connection.settimeout(_PATIENCE)
        return plain(receive(connection, _LONGEST_ANSWER))


def _named_folder(arguments: Sequence[str]) -> str | None:
    """Return what the last `--data` names, None without one.

    It only says who is asked: who answers reads the options as every command does, and refuses
    where they mean another folder.
    """
    named = None
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--data":
            named = following
        elif word.startswith("--data="):
            named = word.partition("=")[2]
    return named


def _decided_folder(config: bytes | None) -> str | None:
    """Return `data` of the configuration; raise ValueError where that cannot be read."""
    if config is None or b"data" not in config:
        return None
    import tomllib

    decided = tomllib.loads(config.decode()).get("data")
    return decided if isinstance(decided, str) else None
