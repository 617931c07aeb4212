"""What do a report and the list of what is open cost at any (T, K), and in an ever longer history?

    pytest -s -m bench tests/bench/bench_moments.py

Months are alike in both histories, so the answers are equally large: what grows is what lies around
them. Aims: the 99th percentile at random (T, K) at most 1.5 times that of now, and a history of
10^6 observations at most 1.5 times one of 10^4. The long history takes minutes to make, once; it is
left in .cache. Prints ratios and never judges them.
"""

import random
import time
from collections.abc import Callable, Sequence
from statistics import median, quantiles

import pytest

from events.instant import DAY, Instant
from projections.engine.read_model import ReadModel
from projections.pull_requests.queries import open_before
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.stream.engines import reading_engine
from tests.answers import report_text
from tests.bench.long_history import END, NAME, REPO, long_history, start_of

SHORT, LONG = 10_000, 1_000_000
MONTH = 30 * DAY
FIRST = 60 * DAY
"""So long after the start a month is as full as any."""
ROUNDS = 100
Ask = Callable[[ReadModel, Instant, Instant], object]


def report(model: ReadModel, as_of: Instant, known_at: Instant) -> str:
    """Write the report of the month before T."""
    question = ReportQuestion(
        full_name=NAME,
        period=Period(start=as_of - MONTH, end=as_of, zone="UTC"),
        known_at=known_at,
    )
    with model.snapshot() as snapshot:
        return report_text(assemble(snapshot, question), "md")


def opened(model: ReadModel, as_of: Instant, known_at: Instant) -> int:
    """List what was open just before T."""
    with model.snapshot() as snapshot:
        (spans,) = open_before(snapshot, REPO, [as_of], known_at)
        return len(spans)


def _seconds(model: ReadModel, ask: Ask, moments: Sequence[tuple[Instant, Instant]]) -> list[float]:
    """Return the CPU seconds of each question: others share the machine."""
    taken = []
    for as_of, known_at in moments:
        start = time.process_time()
        assert ask(model, as_of, known_at)
        taken.append(time.process_time() - start)
    return taken


def _anytime(observations: int) -> list[tuple[Instant, Instant]]:
    chance = random.Random(observations)
    moments = []
    for _ in range(ROUNDS):
        as_of = chance.randrange(start_of(observations) + FIRST, END - DAY)
        moments.append((as_of, chance.choice([as_of, chance.randrange(as_of, END - DAY)])))
    return moments


@pytest.mark.bench
@pytest.mark.parametrize("ask", [report, opened], ids=["report", "open at T"])
def test_any_moment_of_any_history(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    now = [(END - DAY, END - DAY)] * ROUNDS
    times: dict[int, tuple[list[float], list[float]]] = {}
    for observations in (SHORT, LONG):
        model = ReadModel(reading_engine(long_history(observations)))
        _seconds(model, ask, now[:5])
        anytime = _anytime(observations)
        times[observations] = _seconds(model, ask, now), _seconds(model, ask, anytime)
    with capsys.disabled():
        for observations, (present, past) in times.items():
            print(
                f"\n{observations:9,} observations: now {_told(present)}; random (T, K) "
                f"{_told(past)}: p99 {_p99(past) / _p99(present):.2f}, "
                f"median {median(past) / median(present):.2f}",
                end="",
            )
        short, long = times[SHORT][0], times[LONG][0]
        print(f"\n{LONG:,} : {SHORT:,}, now: median {median(long) / median(short):.2f}")


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[98]


def _told(times: Sequence[float]) -> str:
    return f"{median(times) * 1000:.1f} ms (p99 {_p99(times) * 1000:.1f})"
