"""Importing an archive against decompressing and decoding the same files."""

import gzip
from pathlib import Path

import msgspec
import pytest

from events.instant import HOUR
from events.log.memory import MemoryLog
from services.intake.archive import Tracked, import_archive
from services.simulator import simulate
from tests.archives import at_hour, event_of, filler, write
from tests.bench.timing import fastest
from tests.builders import REPO
from tests.worlds import SetClock

EVENTS = 60_000
"""In two files; one in a thousand is ours. A line is about as long as in the archive."""
ROUNDS = 5


@pytest.mark.bench
def test_import_against_decoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hour = at_hour("2020-08-21-8")
    ours = [event_of(delivery, trimmed=False) for delivery in simulate(1).deliveries]
    known = [event for event in ours if event is not None][: EVENTS // 1000]
    padding = {"text": "word " * 500}
    paths = []
    for place in range(2):
        others = [
            {**event, "padding": padding} for event in filler(hour + place * HOUR, EVENTS // 2)
        ]
        paths.append(write(tmp_path, hour + place * HOUR, [*others, *known[place::2]]))
    tracked = [Tracked(full_name="acme/widget", key=REPO, partition=REPO)]

    def decode() -> None:
        for path in paths:
            with gzip.open(path, "rb") as file:
                for line in file:
                    msgspec.json.decode(line)

    def load() -> None:
        clock = SetClock(hour)
        import_archive(paths, tracked, log=MemoryLog(clock), clock=lambda: clock.now)

    peer, own = fastest(decode, rounds=ROUNDS), fastest(load, rounds=ROUNDS)
    with capsys.disabled():
        print(f"\nimport {own:.2f} s, decode {peer:.2f} s: {own / peer:.2f}")
