"""What the log on SQLite costs beside the least that could be done.

`pytest -s -m bench tests/bench/bench_log.py`; prints ratios, judges nothing. Appending is compared
with a bare loop of sqlite3 inserts of the same bytes in the same groups with the same settings;
reading with reading the same bytes from a plain file (which the system then has in memory, as it
has the log).
"""

import json
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from events.log.port import START, Cursor
from events.record import Record
from services.logs.sqlite import SqliteLog

pytestmark = pytest.mark.bench

_COUNT = 2_000
_KEY = "github.com/1001"
_ROUNDS = 3


def _body(number: int) -> bytes:
    """Return about 20 kB of JSON in which URLs and names recur as in GitHub's payloads."""
    chance = random.Random(number)
    api = f"https://api.github.com/repos/octo/spoon/pulls/{number}"
    fields = ("url", "html_url", "issue_url", "commits_url", "comments_url", "statuses_url")
    objects = [
        {
            "id": chance.getrandbits(40),
            "node_id": f"PR_{chance.getrandbits(96):024x}",
            **{name: f"{api}/{name}/{{sha}}" for name in fields},
            "sha": f"{chance.getrandbits(160):040x}",
            "login": f"user{chance.randrange(500)}",
            "body": None,
            "draft": False,
        }
        for _ in range(33)
    ]
    return json.dumps({"action": "closed", "number": number, "objects": objects}).encode()


@pytest.fixture(scope="module")
def bodies() -> list[bytes]:
    return [_body(number) for number in range(_COUNT)]


def _best(run: Callable[[Path], None], folder: Path) -> float:
    """Return the shortest time of some runs, in seconds, each in a folder of its own."""
    times = []
    for nth in range(_ROUNDS):
        inner = folder / f"{run.__name__}-{nth}-{time.monotonic_ns()}"
        inner.mkdir()
        started = time.perf_counter()
        run(inner)
        times.append(time.perf_counter() - started)
    return min(times)


def _records(bodies: list[bytes]) -> list[Record]:
    return [
        Record(
            id=f"{number:032x}",
            repository=_KEY,
            source="webhook",
            type="com.github.pull_request.closed",
            body=body,
            attributes={"hookid": "1", "receivedat": "2026-07-01T00:00:00Z"},
        )
        for number, body in enumerate(bodies)
    ]


def _append(folder: Path, bodies: list[bytes], group: int, *, compress: bool) -> None:
    records = _records(bodies)
    log = SqliteLog(folder / "log.db", clock=lambda: time.time_ns() // 1000, compress=compress)
    for start in range(0, _COUNT, group):
        log.append(records[start : start + group])
    log.close()


def _bare(folder: Path, bodies: list[bytes], group: int) -> None:
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT")
    for start in range(0, _COUNT, group):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO body (data) VALUES (?)",
            [(body,) for body in bodies[start : start + group]],
        )
        connection.execute("COMMIT")
    connection.close()


@pytest.mark.parametrize("group", [1, 10, 100])
def test_append(tmp_path: Path, bodies: list[bytes], group: int) -> None:
    def bare(folder: Path) -> None:
        _bare(folder, bodies, group)

    floor = _best(bare, tmp_path)
    for compress in (True, False):

        def append(folder: Path, *, compress: bool = compress) -> None:
            _append(folder, bodies, group, compress=compress)

        took = _best(append, tmp_path)
        size = next(tmp_path.glob("append-*/log.db")).stat().st_size / sum(map(len, bodies))
        print(
            f"\nappend in groups of {group}, compress={compress}: {_COUNT / took:,.0f}/s, "
            f"{took / floor:.2f} x the bare loop ({_COUNT / floor:,.0f}/s), "
            f"file {size:.2f} x the bytes"
        )
        for path in tmp_path.glob("append-*/log.db"):
            path.unlink()


@pytest.mark.parametrize("compress", [True, False])
def test_read(tmp_path: Path, bodies: list[bytes], compress: bool) -> None:
    _append(tmp_path, bodies, 100, compress=compress)
    plain = tmp_path / "plain"
    plain.write_bytes(b"".join(bodies))
    log = SqliteLog(tmp_path / "log.db", clock=lambda: 0, read_only=True)

    def read_log(_: Path) -> None:
        cursor = START
        while batch := log.read(_KEY, cursor):
            cursor = Cursor(batch[-1].position + 1, batch[-1].recorded_at)
        assert cursor.position == _COUNT

    def read_plain(_: Path) -> None:
        with plain.open("rb") as file:
            assert sum(len(file.read(len(body))) for body in bodies) == plain.stat().st_size

    took, floor = _best(read_log, tmp_path), _best(read_plain, tmp_path)
    log.close()
    print(
        f"\nread, compress={compress}: {_COUNT / took:,.0f}/s, "
        f"{sum(map(len, bodies)) / took / 1e6:,.0f} MB/s, {took / floor:.1f} x a plain file"
    )
