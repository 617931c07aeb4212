"""The commands of the command line on production's log and read model."""

import json
import subprocess
import sys

from kafka.admin import KafkaAdminClient, NewPartitions

from services.logs.exchange import export_log
from services.logs.kafka import KafkaLog
from services.simulator import simulate
from services.simulator.counts import counts
from tests.builders import pull_request
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


def test_partitions_that_were_added_are_told_by_doctor_and_copied_by_an_export(
    site: Site, log: KafkaLog
) -> None:
    config = site.folder / "shipledger.toml"
    log.append(
        [pull_request(f"d{n}", 1, "opened", "03-01", repo=f"github.com/{n}") for n in (7, 8)]
    )
    assert "2 records in the 1 partitions it was made with" in run(site, "doctor")
    admin = KafkaAdminClient(bootstrap_servers=site.bootstrap)
    admin.create_partitions({site.topic: NewPartitions(3)})
    admin.close()
    config.write_text(config.read_text().replace("partitions = 1", "partitions = 3"))
    refused = run(site, "doctor", status=1)
    assert "was made with 1 partitions and has 3" in refused
    out = site.folder / "grown.jsonl"
    assert "--grown" in run(site, "log", "export", str(out), status=2)
    assert not out.exists()
    assert "2 records of 1 partitions" in run(site, "log", "export", "--grown", str(out))
