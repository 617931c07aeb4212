"""Tests that run in several processes, and what is said of them at the end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parallel import LONGEST, MOST_PROCESSES, pytest_xdist_auto_num_workers
from tests.places import ROOT

PYTEST = (sys.executable, "-m", "pytest", "-p", "tests.parts_summary")
TESTS = """
import pytest

@pytest.fixture
def kafka_part(): pass

@pytest.fixture
def prometheus(): pytest.skip("it is not installed")

@pytest.mark.parametrize("nth", [1, 2, 3])
def test_with_kafka(kafka_part, nth): pass

def test_with_prometheus(prometheus): pass
"""


def test_parts_are_counted_over_all_processes_and_a_missing_one_fails_the_run(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_parts.py").write_text(TESTS)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [*PYTEST, "-n", "2", "-c", os.devnull, "--rootdir", str(tmp_path), str(tmp_path)],
        env={**kept, "SHIPLEDGER_REQUIRE_PARTS": "1"},
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "exercised  Kafka (3 tests)" in done.stdout, done.stdout
    assert "missing    Prometheus: it is not installed" in done.stdout
    assert "3 passed, 1 skipped" in done.stdout
    assert done.returncode == 1


def test_parts_of_which_there_is_one_allow_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIPLEDGER_TEST_PARTS", "/parts")
    assert pytest_xdist_auto_num_workers() == 0
    monkeypatch.delenv("SHIPLEDGER_TEST_PARTS")
    assert 1 <= pytest_xdist_auto_num_workers() <= MOST_PROCESSES


def test_the_files_that_go_first_are_there() -> None:
    assert [name for name in LONGEST if not (ROOT / name).is_file()] == []
