"""The real parts start, are known by their folder, and stop; each on loopback only."""

import json
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from deploy.local.part import ServerPart, accepts, free_port
from deploy.local.postgres_part import PostgresPart
from deploy.local.prometheus_part import PrometheusPart
from tests.places import ROOT


class Sleeper(ServerPart):
    """A part without any server package: it listens and does nothing."""

    name = "sleeper"
    start_seconds = 10

    def prepare(self) -> None:
        """Nothing is needed."""

    def command(self) -> list[str]:
        """Listen on the port; the folder is in the command line."""
        server = f"import socket,time;s=socket.create_server(('127.0.0.1',{self.port}));"
        return [sys.executable, "-c", server + "time.sleep(600)", str(self.folder)]


def runs(part: ServerPart) -> bool:
    return part.running


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[Sleeper]:
    part = Sleeper(tmp_path / "sleeper", owned=True)
    yield part
    part.kill()


def test_a_part_starts_stops_and_keeps_its_port(sleeper: Sleeper) -> None:
    sleeper.start()
    assert runs(sleeper)
    assert accepts(sleeper.port)
    first = sleeper.pid
    sleeper.restart()
    assert sleeper.pid not in (first, None)
    sleeper.stop()
    assert not runs(sleeper)
    assert not accepts(sleeper.port)


def test_another_process_finds_a_part_by_its_folder(sleeper: Sleeper) -> None:
    sleeper.start()
    same = Sleeper(sleeper.folder)
    assert (same.pid, same.port) == (sleeper.pid, sleeper.port)
    same.stop()
    assert not runs(sleeper)


def test_a_pid_that_belongs_to_somebody_else_is_left_alone(sleeper: Sleeper) -> None:
    (sleeper.folder / "pid").write_text("1\n")
    assert not runs(sleeper)
    sleeper.stop()


def test_a_paused_part_runs_and_a_stop_ends_it(sleeper: Sleeper) -> None:
    sleeper.start()
    sleeper.pause()
    assert runs(sleeper)
    sleeper.stop()
    assert not runs(sleeper)


def test_ports_lie_below_those_the_kernel_gives_away() -> None:
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert all(free_port() < lowest for _ in range(20))


def test_a_database_is_empty_and_takes_what_it_is_given(postgres_url: str) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", "")) as connection:
        connection.execute("CREATE TABLE t (x text)")
        shown = connection.execute("SHOW default_toast_compression").fetchone()
    assert shown == ("lz4",)


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_postgres_comes_back_with_what_was_committed(
    postgres_part: PostgresPart, postgres_url: str, how: str
) -> None:
    address = postgres_url.replace("+psycopg", "")
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE t AS SELECT 7 AS x")
    getattr(postgres_part, how)()
    postgres_part.start()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT x FROM t").fetchone() == (7,)


class Metric(BaseHTTPRequestHandler):
    """One metric, as Prometheus reads it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(b"shipledger_test_value 7\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_prometheus_scrapes_what_it_is_told_to(prometheus: PrometheusPart) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Metric)
    Thread(target=server.serve_forever, daemon=True).start()
    prometheus.scrape("test", f"127.0.0.1:{server.server_port}")
    query = urllib.parse.urlencode({"query": 'shipledger_test_value{job="test"}'})
    deadline = time.monotonic() + 30
    result: list[object] = []
    while not result and time.monotonic() < deadline:
        time.sleep(0.3)
        with urllib.request.urlopen(f"{prometheus.url}/api/v1/query?{query}") as answer:
            result = json.load(answer)["data"]["result"]
    server.shutdown()
    server.server_close()
    assert result


def test_the_command_starts_shows_and_stops(postgres_part: PostgresPart) -> None:
    with tempfile.TemporaryDirectory(prefix="shipledger-test-") as folder:
        Path(folder).chmod(0o711)

        def services(command: str) -> str:
            script = str(ROOT / "deploy/local/services.py")
            line = [sys.executable, script, command, "--folder", folder, "--only", "postgres"]
            return subprocess.run(line, check=True, capture_output=True, text=True).stdout

        try:
            lines = dict(line.split("=", 1) for line in services("start").splitlines())
            assert lines["SHIPLEDGER_TEST_PARTS"] == folder
            address = lines["SHIPLEDGER_TEST_POSTGRES"].replace("+psycopg", "")
            with psycopg.connect(address) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
            assert "postgres: runs" in services("status")
        finally:
            services("stop")
        assert "postgres: does not run" in services("status")
