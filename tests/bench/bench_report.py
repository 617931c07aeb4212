"""How long does a month's report take, in times of `git log --first-parent` of it? Aim: 3.

The program's start-up is left out on both sides as far as it can be: the report is asked for in
this process; git has to start. Prints the ratio and never judges it.
"""

import subprocess
from pathlib import Path

import pytest

from events.identity import name_key
from events.log.memory import MemoryLog
from events.log.port import Clock
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.intake.git.importer import import_git
from services.stream.engines import reading_engine, writing_engine
from tests.answers import report_text
from tests.bench.timing import fastest
from tests.real_history import BRANCHES, NAME, rebuilt

NOW = 1_800_000_000_000_000
ROUNDS = 10


def _git_log(history: Path) -> None:
    command = ["git", "log", "--first-parent", "--since=2026-07-01T00:00:00+0800"]
    command += ["--until=2026-08-01T00:00:00+0800", "main", "dev"]
    subprocess.run(command, cwd=history, stdout=subprocess.DEVNULL, check=True)


def _read_model(history: Path, folder: Path, clock: Clock) -> ReadModel:
    log = MemoryLog(clock)
    import_git(
        history,
        log=log,
        repository=name_key("github.com", NAME),
        full_name=NAME,
        clock=clock,
        branches=BRANCHES,
    )
    engine = writing_engine(folder / "read_model.sqlite")
    generations.prepare(engine)
    Runner(engine, log, clock).catch_up()
    return ReadModel(reading_engine(folder / "read_model.sqlite"))


@pytest.mark.bench
def test_report_against_git_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = rebuilt()
    model = _read_model(history, tmp_path, lambda: NOW)
    question = ReportQuestion(
        full_name=NAME, period=period("2026-07-01", "2026-08-01", "Asia/Shanghai")
    )

    def ask() -> None:
        with model.snapshot() as snapshot:
            assert "at least 248" in report_text(assemble(snapshot, question), "md")

    report, log = fastest(ask, rounds=ROUNDS), fastest(lambda: _git_log(history), rounds=ROUNDS)
    with capsys.disabled():
        print(
            f"\ngit log --first-parent {log:.3f} s; report {report:.3f} s, ratio {report / log:.2f}"
        )
