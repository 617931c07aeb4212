"""Drafting the edition of a month of some 750 requests, against only querying them.

    pytest -m bench tests/bench/bench_edition.py

Both on a read model in a file, warm. The draft groups changes, makes themes by clustering, and is
rendered; the query is the ledger of the same month with its classes, as the report has it.
"""

from pathlib import Path

import pytest

from events.instant import DAY
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.runner import Runner
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.assemble import assemble_edition
from services.answers.questions.period import Period
from services.answers.questions.question import EditionQuestion, ReportQuestion
from services.answers.reports.assemble import assemble
from services.simulator import simulate
from services.stream.engines import reading_engine, writing_engine
from tests.answers import edition_text
from tests.bench.timing import fastest
from tests.worlds import world_log

ROUNDS = 5


@pytest.mark.bench
def test_drafting_against_querying(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = simulate(8, pulls=2_200, days=92)
    log = world_log(world)
    engine = writing_engine(tmp_path / "read_model.sqlite")
    generations.prepare(engine)
    Runner(engine, log, lambda: world.truth.end + DAY).catch_up()
    model = ReadModel(reading_engine(tmp_path / "read_model.sqlite"))
    start = world.truth.start + 31 * DAY
    question = ReportQuestion(
        full_name="acme/widget", period=Period(start=start, end=start + 30 * DAY, zone="UTC")
    )

    def ask() -> int:
        with model.snapshot() as snapshot:
            report = assemble(snapshot, question)
        return sum(report.counts[name] or 0 for name in ("merged", "active_and_open"))

    def draft() -> None:
        with model.snapshot() as snapshot:
            edition = assemble_edition(snapshot, EditionQuestion(report=question), HistoryCache())
        for language in ("en", "zh"):
            edition_text(edition, "md", language, "inline")

    requests, querying, drafting = ask(), fastest(ask, rounds=ROUNDS), fastest(draft, rounds=ROUNDS)
    with capsys.disabled():
        print(
            f"\n{requests} requests: query {querying:.3f} s, draft {drafting:.3f} s, "
            f"ratio {drafting / querying:.1f}"
        )
