"""Says at the end of a run which real parts were exercised, and which were missing and why.

With SHIPLEDGER_REQUIRE_PARTS=1, as in CI, a missing part makes the run fail. The parts of a test
travel in its report, so that tests which ran in other processes are counted too.
"""

import os
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from typing import Final

import pytest

#: `shipledger up`, started by a test of its own, or for several.
UPS: Final = ("up", "idle_up", "filled_up")

#: Part -> does a test use it?
PARTS: Final[Mapping[str, Callable[[pytest.Item], bool]]] = {
    "Kafka": lambda item: _asks_for(item, "kafka_part"),
    "PostgreSQL": lambda item: _asks_for(item, "postgres_part"),
    "Prometheus": lambda item: _asks_for(item, "prometheus"),
    "Chromium": lambda item: _asks_for(item, "chromium"),
    "git": lambda item: "/git/" in item.nodeid or _asks_for(item, "git"),
    "public example payloads": lambda item: "test_public_examples" in item.nodeid,
    "`shipledger up` as a process": lambda item: _asks_for(item, *UPS),
}

#: How the skip of a contract begins that a backend does not promise: nothing is missing then.
BY_DESIGN: Final = "this log is not "


#: The name under which a report says which parts its test uses.
PART: Final = "part"


class Seen:
    """What the tests of this run said about parts; a plugin, so that it sees every report."""

    def __init__(self) -> None:
        self.exercised: Counter[str] = Counter()
        self.missing: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in one report of one test."""
        for name, value in report.user_properties:
            if name == PART:
                self._note(str(value), report)

    def _note(self, part: str, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.exercised[part] += 1
        elif report.skipped and not hasattr(report, "wasxfail"):
            reason = _reason(report)
            if not reason.startswith(BY_DESIGN):
                self.missing[part] = reason


SEEN: Final = pytest.StashKey[Seen]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin with nothing seen."""
    config.stash[SEEN] = Seen()
    config.pluginmanager.register(config.stash[SEEN])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the parts of a test into its reports."""
    report = yield
    report.user_properties += [(PART, part) for part, uses in PARTS.items() if uses(item)]
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that has to have all parts and has not."""
    if session.config.stash[SEEN].missing and _required() and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what was exercised and what was missing."""
    seen = config.stash[SEEN]
    if not seen.exercised and not seen.missing:
        return
    terminalreporter.section("real parts")
    for part in PARTS:
        if part in seen.missing:
            colour = {"red": True} if _required() else {"yellow": True}
            terminalreporter.line(f"missing    {part}: {seen.missing[part]}", **colour)
        elif seen.exercised[part]:
            terminalreporter.line(f"exercised  {part} ({seen.exercised[part]} tests)", green=True)


def _asks_for(item: pytest.Item, *fixtures: str) -> bool:
    return not set(fixtures).isdisjoint(getattr(item, "fixturenames", ()))


def _required() -> bool:
    return os.environ.get("SHIPLEDGER_REQUIRE_PARTS") == "1"


def _reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    return str(report.longrepr)
