"""Each command is a process, and what it imports is what its user waits for.

Judged by what stands in `sys.modules` at its end, never by time.
"""

import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from services.cli.catalog import COMMANDS
from services.runtime.question_socket import NAME, receive, send
from services.simulator import World
from tests.service_process import environment

#: What answers over HTTP, what runs in the background, and what computes.
_PROCESSES: Final = (
    *("fastapi", "starlette", "uvicorn", "httpx", "prometheus_client", "structlog"),
    *("kafka", "faust", "psycopg", "cramjam", "zstandard"),
    *("services.api", "services.intake", "services.simulator"),
)
_COMPUTING: Final = ("sklearn", "scipy", "numpy", "threadpoolctl", "jinja2", "pygments")
_READING: Final = ("sqlalchemy", "sqlite3", "markdown_it", "rapidfuzz", "rich", "asyncio")
HEAVY: Final = (*_PROCESSES, *_COMPUTING, *_READING)

_TELLING: Final = """
import sys
from services.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


def modules_of(words: Sequence[str], data: Path) -> set[str]:
    """Return what a process has imported that was called with these words."""
    done = subprocess.run(
        [sys.executable, "-c", _TELLING, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=data.parent,
        env=environment(data),
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, small_world: World) -> Path:
    """A data folder with the history of a world."""
    data = tmp_path_factory.mktemp("imports") / "ledger"
    small_world.build_repository(data.parent / "world.git")
    modules_of(("import", "git", "world.git", "--repo", "acme/widget"), data)
    return data


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), *((name, "--help") for name in COMMANDS)],
    ids=" ".join,
)
def test_help_and_version_import_nothing_heavy(words: tuple[str, ...], tmp_path: Path) -> None:
    assert modules_of(words, tmp_path / "ledger") & set(HEAVY) == set()


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (("included", "acme/widget", "7"), {"rich"}),
        (("included", "acme/widget", "7", "--json"), set()),
        (("releases", "acme/widget"), {"rich"}),
        (("pr", "acme/widget", "7", "--format", "html"), {"jinja2"}),
        (("report", "acme/widget", "--period", "2026-06"), {"rapidfuzz"}),
        (("repositories", "list", "--json"), set()),
    ],
    ids=lambda words: " ".join(words),
)
def test_a_question_imports_what_its_answer_needs(
    filled: Path, words: tuple[str, ...], needed: set[str]
) -> None:
    imported = modules_of(words, filled) & set(HEAVY)
    assert imported == {"sqlalchemy", "sqlite3", "asyncio"} | needed


def test_a_question_that_a_process_answers_imports_next_to_nothing(tmp_path: Path) -> None:
    data = tmp_path / "ledger"
    data.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(data / NAME))
        listening.listen()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                receive(connection, 1 << 20)
                send(connection, b'{"taken": true}')
                send(connection, b'{"code": 0, "said": []}')

        thread = threading.Thread(target=answer)
        thread.start()
        imported = modules_of(("report", "acme/widget", "--period", "2026-06"), data)
        thread.join(10)
    assert imported & {*HEAVY, "click", "msgspec", "tomllib", "importlib.metadata"} == set()
    assert {name for name in imported if name.startswith(("events", "projections"))} == set()
    assert sorted(name for name in imported if name.startswith("services.")) == [
        "services.cli",
        "services.cli.asking",
        "services.cli.catalog",
        "services.cli.main",
        "services.config",
        "services.config.source",
        "services.runtime",
        "services.runtime.program",
        "services.runtime.question_socket",
    ]
