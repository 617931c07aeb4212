"""`shipledger send` against a running `up`."""

import json
from pathlib import Path

import pytest

from events.errors import InvalidQuestion, TransientError
from services.intake.sending import stored_deliveries
from services.simulator import World
from tests.service_process import Shipledger, command
from tests.services_fixtures import Run


def test_a_folder_is_sent_in_order_and_again_as_duplicates(
    up: Shipledger, small_world: World, tmp_path: Path, data: Path
) -> None:
    small_world.write(tmp_path / "world")
    url = f"{up.address}/webhooks/github"
    count = len(small_world.deliveries)
    for outcome in ("stored", "duplicate"):
        done = command("send", "world", "--url", url, "--json", data=data)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["outcomes"] == {outcome: count}


def test_a_wrong_secret_is_told_and_fails(
    up: Shipledger, small_world: World, tmp_path: Path, data: Path
) -> None:
    (tmp_path / "ping__one.json").write_text('{"zen": "Keep it logically awesome."}')
    done = command(
        "send", "ping__one.json", "--url", f"{up.address}/webhooks/github",
        data=data, more={"SHIPLEDGER_WEBHOOK_SECRET": "another"},
    )  # fmt: skip
    assert done.returncode == 1
    assert "403" in done.stderr
    assert "compare the secret" in done.stderr


def test_nobody_there_is_told(shipledger: Run, tmp_path: Path) -> None:
    (tmp_path / "ping__one.json").write_text("{}")
    done = shipledger("send", "ping__one.json", "--url", "http://127.0.0.1:9/webhooks/github")
    assert isinstance(done.exception, TransientError)
    assert "does not answer" in str(done.exception)


def test_a_bare_payload_takes_its_event_from_its_name_or_from_the_call(tmp_path: Path) -> None:
    named = tmp_path / "issues__opened.json"
    bare = tmp_path / "payload.json"
    for path in (named, bare):
        path.write_text('{"action": "opened"}')
    (one,) = stored_deliveries(named)
    (two,) = stored_deliveries(bare, event="issues")
    assert one.headers == two.headers
    assert one.headers["X-GitHub-Event"] == "issues"
    with pytest.raises(InvalidQuestion, match="--event"):
        next(stored_deliveries(bare))
