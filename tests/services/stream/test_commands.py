"""The commands of the command line on production's log and read model."""

import json
import subprocess
import sys

from services.logs.exchange import export_log
from services.logs.kafka import KafkaLog
from services.simulator import simulate
from services.simulator.counts import counts
from tests.places import ROOT
from tests.production import Site, wait_until
from tests.services.stream.conftest import StartWorker
from tests.worlds import record_of


def run(site: Site, *arguments: str, status: int = 0) -> str:
    """Run the command line as an operator of the site."""
    done = subprocess.run(
        [sys.executable, "-m", "services.cli.main", *arguments],
        cwd=ROOT,
        env=site.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout or done.stderr


def test_commands_answer_from_kafka_and_postgresql(
    site: Site, log: KafkaLog, start_worker: StartWorker
) -> None:
    world = simulate(5, pulls=15, days=40)
    records = [record_of(each) for each in world.deliveries]
    log.append(records)
    start_worker(site)
    wait_until(lambda: site.has_applied(len(records)), 60)
    may = ("--from", "2026-05-01", "--to", "2026-06-01")
    report = json.loads(run(site, "report", "acme/widget", *may, "--format", "json"))
    start, end = world.truth.start, world.truth.start + 31 * 86_400_000_000
    assert report["counts"] == counts(world.truth.pulls, start, end)
    tail = run(site, "log", "tail", "-n", "3", "--json").splitlines()
    assert [json.loads(line)["id"] for line in tail] == [each.id for each in records[-3:]]
    rebuilt = json.loads(run(site, "projections", "rebuild", "repositories", "--json"))
    assert (rebuilt["switched"], rebuilt["differing"]) == (True, 0)
    assert rebuilt["records"] == len(records)
    assert "nothing" in run(site, "deadletters", "list")
    out = site.folder / "log.jsonl.gz"
    run(site, "log", "export", str(out))
    assert export_log(log, site.folder / "again.jsonl").entries == len(records)
    said = run(site, "log", "redact", "github.com/1001", records[0].id, "--reason", "x", status=2)
    assert "deploy/README.md" in said
