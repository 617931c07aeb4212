"""Deliveries a second of `ingest` and of `up` beside what others do without storing anything.

`pytest -s -m bench tests/bench/bench_deliveries.py`; prints ratios, judges nothing. Aims: `ingest`
(durable) at least 1.0 of octokit's middleware, `up` while it projects at least 0.4.

22 kB a delivery, 32 connections, an id of its own for each. The servers take turns, each round in
a process of its own, and medians are told; CPU seconds a delivery (of all processes of a server)
are the steadier figure where others use the machine too. octokit needs node and its package:
`npm install --prefix .cache/peers @octokit/webhooks@14.2.0`. There is no broker, so `ingest`
forwards nothing.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.places import ROOT
from tests.service_process import environment

pytestmark = pytest.mark.bench

_MODULES: Final = ROOT / ".cache/peers"
_SECONDS: Final = 5
_WARM_SECONDS: Final = 2
_ROUNDS: Final = 5
_CONNECTIONS: Final = 32
_PYTHON: Final = (sys.executable, "-m")
SERVERS: Final[Mapping[str, tuple[str, ...]]] = {
    "octokit": ("node", "tests/bench/peers/octokit.mjs"),
    "FastAPI": (*_PYTHON, "tests.bench.peers.plain"),
    "ingest": (*_PYTHON, "services.cli.main", "ingest", "--port", "0"),
    "up": (*_PYTHON, "services.cli.main", "up", "--port", "0"),
}


class Load(NamedTuple):
    """What one round came to: deliveries a second, CPU microseconds a delivery, p99 seconds."""

    rate: float
    cpu: float
    p99: float


def test_deliveries(tmp_path: Path) -> None:
    servers = [name for name in SERVERS if name != "octokit" or _has_octokit()]
    loads: dict[str, list[Load]] = {name: [] for name in servers}
    for nth in range(_ROUNDS):
        for name in servers:
            folder = tmp_path / f"{name}-{nth}"
            folder.mkdir()
            with _serving(SERVERS[name], folder) as (pid, port):
                loads[name].append(_load(pid, port))
            shutil.rmtree(folder)
    peer = servers[0]
    print(f"\nload average {os.getloadavg()[0]:.1f}")
    for name in servers:
        told = [_median(loads[name], key) for key in (_rate, _cpu, _p99)]
        ratio = statistics.median(
            load.rate / other.rate for load, other in zip(loads[name], loads[peer], strict=True)
        )
        print(
            f"{name}: {told[0]:,.0f}/s, {ratio:.2f} x {peer}; "
            f"{told[1]:,.0f} µs of CPU a delivery, p99 {1000 * told[2]:.0f} ms"
        )


def _has_octokit() -> bool:
    return shutil.which("node") is not None and (_MODULES / "node_modules/@octokit").is_dir()


@contextmanager
def _serving(command: tuple[str, ...], folder: Path) -> Iterator[tuple[int, int]]:
    given = environment(
        folder / "data",
        SHIPLEDGER_LOG_LEVEL="INFO",
        SHIPLEDGER_KAFKA="127.0.0.1:1" if "ingest" in command else "",
        PEER_MODULES=str(_MODULES),
    )
    with (folder / "errors").open("wb") as errors:
        server = subprocess.Popen(
            command, cwd=ROOT, env=given, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    assert server.stdout is not None
    try:
        line = next(line for line in server.stdout if "http://" in line)
        yield server.pid, int(line.partition("http://127.0.0.1:")[2].split()[0].strip("/.,"))
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


def _load(pid: int, port: int) -> Load:
    command = [*_PYTHON, "tests.bench.load", str(port), str(_CONNECTIONS)]
    client = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert client.stdout is not None
    client.stdout.readline()
    _deliver(client, _WARM_SECONDS)  # for those that compile while they run
    before = _cpu_seconds(pid)
    outcome = _deliver(client, _SECONDS)
    used = _cpu_seconds(pid) - before
    client.communicate()
    assert outcome["refused"] == 0
    taken = outcome["taken"]
    return Load(taken / outcome["seconds"], 1e6 * used / taken, outcome["p99"])


def _deliver(client: "subprocess.Popen[str]", seconds: float) -> dict[str, Any]:
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(f"{seconds}\n")
    client.stdin.flush()
    outcome: dict[str, Any] = json.loads(client.stdout.readline())
    return outcome


def _cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and of those that it started."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    children = [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return own + sum(_cpu_seconds(child) for child in children)


def _median(loads: list[Load], key: Callable[[Load], float]) -> float:
    return statistics.median(map(key, loads))


def _rate(load: Load) -> float:
    return load.rate


def _cpu(load: Load) -> float:
    return load.cpu


def _p99(load: Load) -> float:
    return load.p99
