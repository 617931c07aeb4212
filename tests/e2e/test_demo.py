"""What `make demo` runs."""

import os
import re
import signal
import subprocess
import sys
from functools import partial

import httpx
import pytest

DEMO = [sys.executable, "-m", "services.cli.main", "demo"]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("SHIPLEDGER")}


@pytest.mark.slow
def test_once_it_prints_a_report_that_is_the_truth_and_ends() -> None:
    done = subprocess.run(
        [*DEMO, "--once"],
        env=environment(), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Monthly Activity Report" in done.stdout
    assert "The report says the same." in done.stdout
    assert done.stderr == ""


def test_otherwise_it_stays_up_until_it_is_told_to_stop() -> None:
    demo = subprocess.Popen(
        DEMO,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # as at a terminal: a shell's job in the background ignores this signal, and its children
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert demo.stdout is not None
    said = ""
    while "Stays up" not in said:
        line = demo.stdout.readline()
        assert line, "it ended by itself"
        said += line
    address = re.search(r"http://127\.0\.0\.1:\d+", said)
    assert address is not None
    assert httpx.get(f"{address[0]}/").status_code == 200
    demo.send_signal(signal.SIGINT)
    _, errors = demo.communicate(timeout=30)
    assert (demo.returncode, errors) == (0, "")
