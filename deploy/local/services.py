"""Start, stop and show the real parts in a folder.

    python deploy/local/services.py start [--folder DIR] [--only kafka,postgres] [--port kafka=9092]

`start` prints the environment by which the tests and the settings find the parts; with
SHIPLEDGER_TEST_PARTS set, the tests use those parts, in one process, and leave them running.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":  # as a script only its own folder is on the path, not the root
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from deploy.local.kafka_part import KafkaPart
from deploy.local.part import MissingPart, PartFailed, ServerPart
from deploy.local.postgres_part import PostgresPart
from deploy.local.prometheus_part import PrometheusPart

PARTS: tuple[type[ServerPart], ...] = (KafkaPart, PostgresPart, PrometheusPart)
DEFAULT_FOLDER = Path(tempfile.gettempdir()) / "shipledger-parts"


def start(parts: Sequence[ServerPart], folder: Path) -> None:
    """Start what does not run and print how to reach it all."""
    for part in parts:
        part.start()
    print(f"SHIPLEDGER_TEST_PARTS={folder}")
    for part in parts:
        for name, value in part.environment.items():
            print(f"{name}={value}")


def stop(parts: Sequence[ServerPart], _folder: Path) -> None:
    """Stop what runs."""
    for part in parts:
        part.stop()


def status(parts: Sequence[ServerPart], _folder: Path) -> None:
    """Print one line a part."""
    for part in parts:
        state = "runs" if part.running else "does not run"
        print(f"{part.name}: {state}, {part.address}, log {part.log}")


COMMANDS: dict[str, Callable[[Sequence[ServerPart], Path], None]] = {
    "start": start,
    "stop": stop,
    "status": status,
}


def open_parts(folder: Path, names: Sequence[str], ports: dict[str, int]) -> list[ServerPart]:
    """Return the named parts of a folder, in their fixed order."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        part(folder / part.name, port=ports.get(part.name)) for part in PARTS if part.name in names
    ]


def _port(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    return name, int(number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code."""
    every = [part.name for part in PARTS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--only", default=",".join(every), help="names with commas between")
    parser.add_argument("--port", type=_port, action="append", default=[], metavar="PART=NUMBER")
    given = parser.parse_args(arguments)
    names = given.only.split(",")
    if unknown := set(names) - set(every):
        parser.error(f"no such part: {', '.join(sorted(unknown))} (there are {', '.join(every)})")
    folder = given.folder.resolve()
    try:
        COMMANDS[given.command](open_parts(folder, names, dict(given.port)), folder)
    except (MissingPart, PartFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
