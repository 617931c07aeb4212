"""A push and a tag at a remote, one webhook, and the release's page shows them."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from services.simulator.delivery import Delivery
from tests.builders import repository
from tests.service_process import Shipledger
from tests.services.intake.git.sandbox import Sandbox

RELEASES = "/v1/repositories/acme/widget/releases"
PATIENCE = 30.0


@pytest.fixture
def remote(tmp_path: Path) -> Sandbox:
    """A repository with one release."""
    origin = Sandbox(tmp_path / "origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.commit("Add a (#1)", a="1")
    origin.git("tag", "v1.0.0")
    return origin


@pytest.fixture
def config(tmp_path: Path, remote: Sandbox) -> Path:
    """A configuration that mirrors it, once an hour unless a webhook comes."""
    path = tmp_path / "widget.toml"
    path.write_text(
        '[[repositories]]\nname = "acme/widget"\nid = 1001\n'
        f'[repositories.mirror]\nremote = "{remote.path}"\ninterval_seconds = 3600.0\n'
    )
    return path


def push(ref: str, commit: str, index: int) -> Delivery:
    body = {
        "ref": ref,
        "before": "0" * 40,
        "after": commit,
        "deleted": False,
        "head_commit": {"id": commit},
        "repository": repository(pushed_at=int(time.time())),
    }
    return Delivery(
        index=index,
        at=0,
        event="push",
        action=None,
        delivery_id=f"00000000-0000-0000-0000-{index:012}",
        repository_id=1001,
        body=json.dumps(body).encode(),
    )


def patiently(up: Shipledger, path: str) -> dict[str, Any]:
    """Ask until there is an answer."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = up.http.get(path)
        if answer.status_code == 200:
            document: dict[str, Any] = answer.json()
            return document
        time.sleep(0.1)
    raise AssertionError(f"{path}: {answer.text}; {up.errors}")


def test_the_release_page_shows_a_tag_that_was_just_pushed(
    data: Path, config: Path, remote: Sandbox
) -> None:
    up = Shipledger(data, SHIPLEDGER_CONFIG=str(config))
    try:
        assert [row["number"] for row in patiently(up, f"{RELEASES}/v1.0.0")["new"]] == [1]
        assert up.http.get(f"{RELEASES}/v1.1.0").status_code == 404
        remote.commit("Add b (#2)", b="1")
        remote.git("tag", "v1.1.0")
        tip = remote.sha("main")
        pushes = [push("refs/heads/main", tip, 1), push("refs/tags/v1.1.0", tip, 2)]
        assert up.deliver(pushes) == [202, 202]
        page = patiently(up, f"{RELEASES}/v1.1.0")
        assert (page["against"], [row["number"] for row in page["new"]]) == ("v1.0.0", [2])
        assert page["release"]["dated_by"] == "pushed"
        html = up.http.get(f"{RELEASES}/v1.1.0", params={"format": "html"})
        assert "v1.1.0" in html.text
        assert f'href="{RELEASES}?format=html"' in up.http.get("/").text
    finally:
        assert up.stop() == 0, up.errors


def test_the_release_page_shows_in_a_browser(
    chromium: str, data: Path, config: Path, tmp_path: Path
) -> None:
    up = Shipledger(data, SHIPLEDGER_CONFIG=str(config))
    try:
        patiently(up, f"{RELEASES}/v1.0.0")
        picture = tmp_path / "release.png"
        shown = subprocess.run(
            [
                chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,700",
                f"--screenshot={picture}", f"{up.address}{RELEASES}/v1.0.0?format=html",
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )  # fmt: skip
        assert picture.is_file(), shown.stderr
        assert picture.stat().st_size > 5_000
    finally:
        assert up.stop() == 0, up.errors
