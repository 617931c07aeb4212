"""Whatever is written behind a command that asks: an answer, or one line that says what to do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from services.cli.commands import run
from tests.services.cli.test_main import ALL
from tests.services.cli.test_roadmap import WIDGET, asked
from tests.services_fixtures import Run

__all__ = ["asked"]

_TIMES: Final = (
    *("0001-01-01T00:00:00+14:00", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59-14:00"),
    *("2026-07-01T00:00:00 08:00", "\udcff", ""),
)
_PERIODS: Final = (
    *("0001", "0001-01", "9999-12", "9999-W52", "0001-01-01..9999-12-31", "..", "\udcff", ""),
)
_NUMBERS: Final = ("0", str(2**31), str(2**63), str(2**64), "9" * 5_000, "\udcff", "")
_TEXTS: Final = ("", "..", "\udcff", "x" * 5_000, "[" * 200)
#: What an option or argument is called, and what is tried.
HOSTILE: Final[dict[str, tuple[str, ...]]] = {
    "at": _TIMES,
    **dict.fromkeys(("as_of", "known_at", "until", "expires"), _TIMES),
    **dict.fromkeys(("start", "end", "period", "named"), _PERIODS),
    **dict.fromkeys(("number", "issue", "other", "repo_id", "cap", "smallest"), _NUMBERS),
    **dict.fromkeys(("zone", "tag", "release", "releases", "against", "path", "words"), _TEXTS),
    **dict.fromkeys(("repository", "key", "record_id"), _TEXTS),
}
#: They serve, follow, or make what a person named.
NOT_ASKED: Final = ("up", "ingest", "worker", "api", "mirror", "demo", "doctor", "backup", "send")
GOOD: Final = {"repository": WIDGET, "number": "1", "issue": "50", "tag": "v1.0.0", "other": "2"}
PERIOD: Final = {"period": "2024-06"}


def calls(name: str, command: click.Command) -> Iterator[list[str]]:
    """Yield the calls of a command with one hostile value each."""
    names = {parameter.name for parameter in command.params}
    beside = PERIOD if "period" in names else {}
    for parameter in command.params:
        tried = parameter.name or ""
        for value in HOSTILE.get(tried, ()):
            alone = tried in ("period", "start", "end", "releases")
            values = {**GOOD, **({} if alone else beside), tried: value}
            yield [*name.split(), *_written(command, values, tried)]


def _written(command: click.Command, values: dict[str, str], tried: str) -> list[str]:
    words = []
    for parameter in command.params:
        name = parameter.name or ""
        wanted = parameter.required or name == tried
        value = values.get(name, "1")
        if isinstance(parameter, click.Argument):
            words += [value] if wanted else []
        elif wanted or (name in PERIOD and name in values):
            words += [parameter.opts[0], value]
    return words


ASKED: Final = [
    (name, command)
    for name, command in ALL
    if name.split()[0] not in NOT_ASKED and not isinstance(command, click.Group)
]


def test_no_value_of_a_command_is_a_fault(
    asked: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert asked is not None
    assert tmp_path.exists()
    faults = {}
    for name, command in ASKED:
        for arguments in calls(name, command):
            code = run(arguments)
            told = capfd.readouterr()
            one_line = told.err.startswith("error: ") and told.err.count("\n") == 1
            if not (code == 0 or (code == 2 and one_line)):
                faults[tuple(word[-40:] for word in arguments)] = (code, told.err[-300:])
    assert faults == {}
