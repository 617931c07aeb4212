"""`shipledger up` as a process: one holder, an end in order, and what it does with poison."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.simulator import World
from services.simulator.delivery import Delivery
from tests.service_process import Shipledger, command


@pytest.fixture(scope="module")
def idle_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shipledger]:
    """`up` that is given nothing to do; for tests that do not change that."""
    running = Shipledger(tmp_path_factory.mktemp("idle") / "ledger")
    yield running
    assert running.stop() == 0, running.errors


def test_a_second_up_on_the_same_folder_is_refused_and_names_the_first(
    idle_up: Shipledger,
) -> None:
    done = command("up", "--port", "0", data=idle_up.data)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"process {idle_up.process.pid}" in done.stderr


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(data: Path, small_world: World, how: signal.Signals) -> None:
    up = Shipledger(data)
    assert set(up.deliver(small_world.deliveries[:30])) == {202}
    up.process.send_signal(how)
    assert up.process.wait(20) == 0
    assert up.stop() == 0
    assert up.errors == ""


def projector_of(up: Shipledger) -> int:
    """Return the process that projects for `up`."""
    tasks = Path(f"/proc/{up.process.pid}/task").iterdir()
    (child,) = [pid for task in tasks for pid in (task / "children").read_text().split()]
    return int(child)


def test_a_projector_that_is_killed_goes_on_from_its_last_commit(
    up: Shipledger, small_world: World
) -> None:
    up.deliver(small_world.deliveries[:40])
    first = projector_of(up)
    os.kill(first, signal.SIGKILL)
    assert set(up.deliver(small_world.deliveries[40:120])) == {202}
    assert up.settle()["dead_letters"] == 0
    assert projector_of(up) != first
    assert 'records_total{projection="pull_requests"}' in up.http.get("/metrics").text


def test_a_projector_ends_with_its_server_however_that_ends(data: Path) -> None:
    up = Shipledger(data)
    projector = projector_of(up)
    up.kill()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{projector}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_without_a_secret_it_does_not_start(data: Path) -> None:
    done = command("up", "--port", "0", data=data, more={"SHIPLEDGER_WEBHOOK_SECRET": ""})
    assert done.returncode == 2
    assert "SHIPLEDGER_WEBHOOK_SECRET" in done.stderr


def test_a_taken_port_is_told(idle_up: Shipledger, tmp_path: Path) -> None:
    port = idle_up.address.rpartition(":")[2]
    done = command("up", "--port", port, data=tmp_path / "other")
    assert done.returncode == 2
    assert "choose another --host or --port" in done.stderr


def test_a_secret_of_its_own_that_is_not_set_is_named(data: Path, tmp_path: Path) -> None:
    (tmp_path / "shipledger.toml").write_text(
        '[[repositories]]\nname = "acme/widget"\nsecret_env = "WIDGET_SECRET"\n'
    )
    done = command("up", "--port", "0", data=data)
    assert done.returncode == 2
    assert "WIDGET_SECRET" in done.stderr


def test_poison_is_set_aside_and_the_stream_goes_on(
    up: Shipledger, small_world: World, data: Path
) -> None:
    poison = Delivery(
        index=0,
        event="pull_request",
        action="opened",
        delivery_id="poison-1",
        at=0,
        body=json.dumps(
            {
                "action": "opened",
                "number": 7,
                "pull_request": {"number": "seven"},
                "repository": {"id": 1001, "full_name": "acme/widget"},
            }
        ).encode(),
    )
    assert up.deliver([*small_world.deliveries[:40], poison, *small_world.deliveries[40:80]])
    state = up.settle()
    assert state["dead_letters"] == 1
    listed = json.loads(command("deadletters", "list", "--json", data=data).stdout)["dead_letters"]
    assert {each["record_id"] for each in listed} == {"poison-1"}
    shown = command("deadletters", "show", "poison-1", data=data)
    assert "cannot_be_understood" in shown.stdout
    retried = command("deadletters", "retry", data=data)
    assert retried.returncode == 1
    assert "still set aside" in retried.stdout
    metrics = up.http.get("/metrics").text
    assert 'shipledger_dead_letters{projection="pull_requests"} 1.0' in metrics


def test_commands_answer_while_it_runs_and_the_log_takes_other_writers(
    up: Shipledger, small_world: World, data: Path, tmp_path: Path
) -> None:
    up.deliver(small_world.deliveries[:100])
    up.settle()
    small_world.build_repository(tmp_path / "widget.git")
    done = command("import", "git", "widget.git", "--repo", "acme/other", data=data)
    assert done.returncode == 0, done.stderr
    up.settle()
    listed = json.loads(command("repositories", "list", "--json", data=data).stdout)
    assert {each["name"] for each in listed["repositories"]} == {"acme/widget", "acme/other"}


def test_a_rebuild_beside_it_switches_and_it_goes_on(
    up: Shipledger, small_world: World, data: Path
) -> None:
    up.deliver(small_world.deliveries[:150])
    up.settle()
    done = command("projections", "rebuild", "pull_requests", "--json", data=data)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["differing"] == 0
    assert set(up.deliver(small_world.deliveries[150:])) == {202}
    up.settle()
    report = up.http.get(
        "/v1/repositories/acme/widget/report", params={"from": "2026-06-01", "to": "2026-07-01"}
    ).json()
    assert report["quality"]["opened"] == "exact"


def test_an_unsigned_delivery_is_refused_unless_that_was_asked_for(
    idle_up: Shipledger, small_world: World
) -> None:
    delivery = small_world.deliveries[0]
    answer = httpx.post(
        f"{idle_up.address}/webhooks/github", content=delivery.body, headers=delivery.headers()
    )
    assert (answer.status_code, answer.json()["error"]) == (401, "missing_signature")
