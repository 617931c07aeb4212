"""A running process answers byte by byte what the command answers by itself, errors included."""

import shlex
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from services.cli.answerer import answerer_on
from services.cli.catalog import asks
from services.config.settings import load
from services.processes.bootstrap import prepare
from services.runtime.question_server import Answer, Question, questions_answered
from services.stream.stores import open_stores
from tests.goldens.asking import Pinned
from tests.goldens.program import Answer as Printed
from tests.goldens.program import Program
from tests.goldens.world import decided
from tests.goldens.world_questions import COMMANDS

_EDITION: Final = "edition acme/widget --period 2026-07 --tz Asia/Shanghai"
#: Beside those of the goldens: all formats, and errors of every layer.
MORE: Final = (
    "report acme/widget --period 2026-07 --json",
    "report acme/widget --period 2026-07 --format html",
    "report acme/widget --period 2026-07 --format csv",
    f"{_EDITION} --language zh --shape inline --format txt",
    f"{_EDITION} --json",
    "repositories",
    "deadletters list",
    "deadletters list --json",
    "deadletters show nothing",
    "review acme/widget list",
    "release acme/widget",
    "release alias list --repo acme/nothing",
    "included acme/widget 28 no-such-tag",
    "included acme/widget zero",
    "included acme/widget 28 --known-at tomorrow",
    "included acme/widget 28 --known-at 2020-01-01T00:00:00Z",
    "curate list acme/nothing",
    "themes suggest acme/widget --period 2026-07 --cap 0",
    "why acme/widget 28",
    "report acme/widget --period 2026-07 --nonsense",
    "report",
)
ASKED: Final = tuple(
    line for line in dict.fromkeys((*COMMANDS.values(), *MORE)) if asks(shlex.split(line))
)


class Asked:
    """Both answers to each call."""

    def __init__(self, program: Program) -> None:
        self.alone = {line: program.run(*shlex.split(line)) for line in ASKED}
        self.counted: list[tuple[str, ...]] = []
        self.refused: list[tuple[str, ...]] = []
        with program.here(), open_stores(load(data=program.data)) as stores:
            answer = answerer_on(stores)

            def count(question: Question) -> Answer:
                try:
                    told = answer(question)
                except BaseException:
                    self.refused.append(question.arguments)
                    raise
                self.counted.append(question.arguments)
                return told

            source = stores.settings.source
            with (
                capture_logs(),
                stores.folder.held("up"),
                questions_answered(stores.folder, "up", source, count),
            ):
                prepare(stores)
                self.asked = {line: program.run(*shlex.split(line)) for line in ASKED}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The world of the goldens."""
    folder: Path = tmp_path_factory.mktemp("asked")
    return Asked(decided(folder, Pinned()))


@pytest.mark.parametrize("line", ASKED)
def test_the_answer_of_a_running_process_is_that_of_the_command(both: Asked, line: str) -> None:
    assert told(both.asked[line]) == told(both.alone[line])
    assert tuple(shlex.split(line)) in both.counted


def test_nothing_was_refused_and_the_calls_are_not_trivial(both: Asked) -> None:
    assert both.refused == []
    assert len(both.counted) == len(ASKED)
    codes = [answer.beside for answer in both.alone.values()]
    assert codes.count("exit 0") > 50
    assert codes.count("exit 2") > 15


def told(answer: Printed) -> tuple[bytes, bytes, str]:
    """Return all that a caller sees."""
    return answer.body, answer.errors, answer.beside
