"""Where the time of a run went, file by file, printed at its end.

The wall time of each phase is pytest's own. The CPU is that of the process which ran the test and
of the children that it waited for; a real part that ends with the session counts to the file that
was last, and processes that nobody waits for do not count.
"""

import resource
from collections import defaultdict
from collections.abc import Generator
from typing import Final

import pytest

#: How many files are shown, the longest first.
SHOWN: Final = 15

#: The name under which a report says how much CPU its phase took.
CPU: Final = "cpu_seconds"

PHASES: Final = ("setup", "call", "teardown")


class Spent:
    """What the reports of a run said about time; also the clock of the process that runs tests."""

    def __init__(self) -> None:
        self.wall: defaultdict[str, dict[str, float]] = defaultdict(
            lambda: dict.fromkeys(PHASES, 0.0)
        )
        self.cpu: defaultdict[str, float] = defaultdict(float)
        self._before = cpu_seconds()

    def since(self) -> float:
        """Return the CPU seconds since it was last asked."""
        before, self._before = self._before, cpu_seconds()
        return self._before - before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in one report of one phase of one test."""
        file = report.nodeid.partition("::")[0]
        self.wall[file][str(report.when)] += report.duration
        self.cpu[file] += sum(float(str(at)) for name, at in report.user_properties if name == CPU)

    def lines(self) -> list[str]:
        """Return the table of the longest files."""
        longest = sorted(self.wall, key=lambda file: -sum(self.wall[file].values()))[:SHOWN]
        head = f"{'wall':>7}{'setup':>8}{'call':>8}{'teardown':>10}{'cpu':>8}  file (seconds)"
        return [head, *map(self._line, longest)]

    def _line(self, file: str) -> str:
        wall = self.wall[file]
        setup, call, teardown = (wall[phase] for phase in PHASES)
        return (
            f"{sum(wall.values()):7.1f}{setup:8.1f}{call:8.1f}{teardown:10.1f}{self.cpu[file]:8.1f}"
            f"  {file}"
        )


SPENT: Final = pytest.StashKey[Spent]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[SPENT] = Spent()
    config.pluginmanager.register(config.stash[SPENT])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave the collection out of the first test."""
    session.config.stash[SPENT].since()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the CPU of a phase into its report, in the place of that of the phase before."""
    report = yield
    others = [(name, value) for name, value in report.user_properties if name != CPU]
    report.user_properties = [*others, (CPU, f"{item.config.stash[SPENT].since():.3f}")]
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table, and the CPU of the whole run."""
    spent = config.stash[SPENT]
    if not spent.wall:
        return
    terminalreporter.section("where the time went")
    for line in spent.lines():
        terminalreporter.line(line)
    wall = sum(sum(phases.values()) for phases in spent.wall.values())
    terminalreporter.line(
        f"{wall:7.1f}  seconds in all tests, one after the other; "
        f"{cpu_seconds():.1f} CPU seconds of the run and its processes"
    )


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that it waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
