"""Child processes that write to a log, and what they say."""

import subprocess
import sys

from tests.places import ROOT

_ROOT = ROOT


def start(
    module: str, *arguments: object, package: str = "tests.services.logs"
) -> subprocess.Popen[str]:
    """Start a module of a package of tests with its output as a pipe of lines."""
    return subprocess.Popen(
        [sys.executable, "-m", f"{package}.{module}", *map(str, arguments)],
        cwd=_ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def whole_lines(output: str) -> list[str]:
    """Return the lines that were written to their end before the writer died."""
    return output[: output.rfind("\n") + 1].splitlines()
