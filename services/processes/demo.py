"""The main job on a simulated repository, with the real program: what `make demo` runs.

`shipledger up` runs as a process of its own; deliveries go to it over HTTP, signed; the report
comes back over HTTP; and since the repository is simulated, the truth is known and compared.
"""

import http.client
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from events.errors import TransientError
from events.instant import DAY, Instant, format_instant, from_datetime
from services.config.settings import LOG_FORMAT, LOG_LEVEL, SECRET
from services.config.source import DATA
from services.intake.sending import Sender, StoredDelivery
from services.simulator import Truth, World, simulate
from services.simulator.counts import counts

SEED: Final = 2026
PULLS: Final = 160
#: Seconds for the program to come up, and to project what was sent.
_PATIENCE: Final = 60.0

Say = Callable[[str], None]


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A `shipledger up` that belongs to the demonstration."""

    process: "subprocess.Popen[str]"
    address: str
    secret: str
    data: Path


def demonstrate(say: Say, *, once: bool, port: int) -> int:
    """Tell the story; return the exit code (1 where the report is not the truth)."""
    first, after = _month_before(datetime.now(UTC))
    start = first - 31 * DAY
    say(f"Simulating a repository (seed {SEED}) …")
    world = simulate(SEED, pulls=PULLS, days=(after - start) // DAY + 10, start=start)
    with running(port) as up:
        say(f"`shipledger up` is at {up.address}, its data in {up.data}")
        _send(up, world)
        say(f"{len(world.deliveries)} signed webhook deliveries sent, each answered once durable")
        _wait_until_projected(up)
        question = f"?from={_day(first)}&to={_day(after)}&tz=UTC"
        path = f"/v1/repositories/{world.truth.full_name}/report{question}"
        say("\n" + _get(up, f"{path}&format=md"))
        equal = _compare(say, msgspec.json.decode(_get(up, path)), world.truth, first, after)
        _tell_where_to_look(say, up, world, path, once=once)
        if not once:
            say("\nStays up until Ctrl-C.")
            with suppress(KeyboardInterrupt):
                up.process.wait()
    return 0 if equal else 1


@contextmanager
def running(port: int) -> Iterator[Running]:
    """Run `shipledger up` on a temporary data folder; end it in order afterwards."""
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="shipledger-demo-") as folder:
        data = Path(folder)
        environment = {**os.environ, DATA: folder, SECRET: secret}
        environment.setdefault(LOG_FORMAT, "columns")
        environment.setdefault(LOG_LEVEL, "WARNING")
        command = [sys.executable, "-m", "services.cli.main", "up", "--port", str(port)]
        process = subprocess.Popen(  # noqa: S603  # our own program
            command, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            yield Running(process=process, address=_announced(process), secret=secret, data=data)
        finally:
            process.terminate()
            process.wait()


def _announced(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    for word in process.stdout.readline().split():
        if word.startswith("http://"):
            return word
    raise TransientError("`shipledger up` did not come up; its own words are above")


def _send(up: Running, world: World) -> None:
    sender = Sender(f"{up.address}/webhooks/github", up.secret)
    for delivery in world.deliveries:
        stored = StoredDelivery(path=up.data, headers=delivery.headers(), body=delivery.body)
        answer = sender.send(stored)
        if not answer.accepted:
            raise TransientError(f"a delivery was refused: {answer.status} {answer.message}")
    sender.close()


def _wait_until_projected(up: Running) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        state = msgspec.json.decode(_get(up, "/readyz"))
        if state["ready"] and state["behind_records"] == 0:
            return
        time.sleep(0.1)
    raise TransientError("the deliveries were not projected in time")


def _get(up: Running, path: str) -> str:
    connection = http.client.HTTPConnection(urlsplit(up.address).netloc, timeout=_PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def _compare(
    say: Say, report: dict[str, Any], truth: Truth, first: Instant, after: Instant
) -> bool:
    """Compare the report with what the simulator knows by construction."""
    expected = counts(truth.pulls, first, after)
    reported = {name: report.get("counts", {}).get(name) for name in expected}
    same = reported == expected
    words = ", ".join(f"{name} {value}" for name, value in expected.items())
    verdict = "The report says the same." if same else f"THE REPORT DIFFERS: {reported}"
    say(f"The simulator knows by construction: {words}.\n{verdict}")
    return same


def _tell_where_to_look(say: Say, up: Running, world: World, path: str, *, once: bool) -> None:
    name = world.truth.full_name
    number = world.truth.pulls[0].number
    say("\nLook further" + (" (`make demo` without ONCE=1 stays up for it):" if once else ":"))
    say(f"  in a browser       {up.address}/")
    say(f"  the report         {up.address}{path}&format=html")
    say(f"  one request's life {up.address}/v1/repositories/{name}/pulls/{number}")
    say(f"  API, metrics       {up.address}/docs  {up.address}/metrics")
    say(f"  command line       .venv/bin/shipledger pr {name} {number} --data {up.data}")
    say(f"                     .venv/bin/shipledger log tail --data {up.data}")


def _month_before(now: datetime) -> tuple[Instant, Instant]:
    """Return the first instant of the last whole month in UTC, and the first one after it."""
    after = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    before = after.replace(year=after.year - (after.month == 1), month=(after.month - 2) % 12 + 1)
    return from_datetime(before), from_datetime(after)


def _day(instant: Instant) -> str:
    return format_instant(instant)[:10]
