"""Simulate, send over HTTP, ask: what comes back is what the simulator knows."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.answers.questions.period import period
from services.simulator import World
from services.simulator.counts import counts
from tests.service_process import Shipledger, command

REPORT = "/v1/repositories/acme/widget/report"
JULY = {"from": "2026-07-01", "to": "2026-08-01", "tz": "Asia/Shanghai"}


@pytest.fixture(scope="module")
def filled_up(small_world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shipledger]:
    """`up`, after it took in the whole world; for tests that only ask it."""
    running = Shipledger(tmp_path_factory.mktemp("filled") / "ledger")
    assert set(running.deliver(small_world.deliveries)) == {202}
    assert running.settle()["dead_letters"] == 0
    yield running
    assert running.stop() == 0, running.errors


def test_a_month_over_http_is_the_truth_of_the_simulator(
    filled_up: Shipledger, small_world: World
) -> None:
    assert set(filled_up.deliver(small_world.deliveries[:20])) == {200}
    assert filled_up.settle()["dead_letters"] == 0
    report = filled_up.http.get(REPORT, params=JULY).json()
    asked = period(JULY["from"], JULY["to"], JULY["tz"])
    assert report["counts"] == counts(small_world.truth.pulls, asked.start, asked.end)
    assert set(report["quality"].values()) == {"exact"}
    assert report["balance"]["balanced"] is True


def test_every_row_of_a_report_leads_to_its_record(filled_up: Shipledger) -> None:
    rows = filled_up.http.get(REPORT, params=JULY).json()["ledger"]["merged"]
    assert rows
    for row in rows:
        record = filled_up.http.get(f"/v1/records/github.com/1001/{row['record']}").json()
        assert record["id"] == row["record"]
        assert any(fact.get("number") == row["number"] for fact in record["facts"])


def test_the_command_line_answers_as_the_api_does_in_every_zone_of_the_process(
    filled_up: Shipledger,
) -> None:
    repositories = filled_up.http.get("/v1/repositories").json()["repositories"]
    known_at = repositories[0]["known_at"]
    question = {**JULY, "known_at": known_at}
    answers = {filled_up.http.get(REPORT, params={**question, "format": "md"}).text}
    for zone in ("UTC", "America/Los_Angeles", "Asia/Kolkata"):
        done = command(
            "report", "acme/widget", "--from", JULY["from"], "--to", JULY["to"], "--tz", JULY["tz"],
            "--known-at", known_at, data=filled_up.data, more={"TZ": zone},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers.add(done.stdout)
    assert len(answers) == 1


def test_what_was_known_earlier_stays_what_it_was(up: Shipledger, small_world: World) -> None:
    half = len(small_world.deliveries) // 2
    up.deliver(small_world.deliveries[:half])
    up.settle()
    known_at = up.http.get("/v1/repositories").json()["repositories"][0]["known_at"]
    question = {"from": "2026-05-01", "to": "2026-06-15", "tz": "UTC", "known_at": known_at}
    before = up.http.get(REPORT, params=question)
    up.deliver(small_world.deliveries[half:])
    up.settle()
    after = up.http.get(REPORT, params=question)
    assert before.json()["settled"] is True
    assert after.json()["ledger"] == before.json()["ledger"]
    assert after.headers["etag"] == before.headers["etag"]


def test_git_and_webhooks_of_one_repository_meet_under_its_id(
    bare_repository: Path, up: Shipledger, small_world: World, data: Path
) -> None:
    up.deliver(small_world.deliveries)
    done = command(
        "import", "git", str(bare_repository), "--repo", "acme/widget", "--repo-id", "1001",
        data=data,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    up.settle()
    assert [each["key"] for each in up.http.get("/v1/repositories").json()["repositories"]] == [
        "github.com/1001"
    ]
    report = up.http.get(REPORT, params=JULY).json()
    asked = period(JULY["from"], JULY["to"], JULY["tz"])
    assert report["counts"] == counts(small_world.truth.pulls, asked.start, asked.end)


@pytest.fixture
def bare_repository(small_world: World, tmp_path: Path) -> Path:
    path = tmp_path / "widget.git"
    small_world.build_repository(path)
    return path


def test_the_page_shows_in_a_browser(chromium: str, filled_up: Shipledger, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    shown = subprocess.run(
        [
            chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,700",
            f"--screenshot={picture}", f"{filled_up.address}/",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )  # fmt: skip
    assert picture.is_file(), shown.stderr
    assert picture.stat().st_size > 5_000
