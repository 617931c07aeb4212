"""The simulated world: deliveries (some late), two imports of git, an edition, and decisions.

Seed 4 has requests that are removed, reverted, partly there, ported and cherry-picked, two roadmaps
with drift, and a pair that may be one change.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.goldens import edition_questions
from tests.goldens.asking import Pinned
from tests.goldens.openapi import parameters_of
from tests.goldens.program import Moment, Program, simulate
from tests.goldens.world_questions import (
    COMMANDS,
    DECISIONS,
    DRAFTED,
    REPOSITORY,
    ROUTES,
    ROUTES_OF_REPOSITORY,
)

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
BELOW: Final = f"/v1/repositories/{REPOSITORY}"


def decided(folder: Path, pinned: Pinned) -> Program:
    """Return the program with all that was recorded of the world, and decided about it."""
    program = _filled(folder)
    *decisions, last = DECISIONS.items()
    _decide(program, pinned, dict(decisions))
    program.draft(REPOSITORY, *DRAFTED)
    _decide(program, pinned, dict([last]))
    return program


def world(folder: Path) -> dict[str, str]:
    """Return what is answered about the world, and one edition of each kind."""
    pinned = Pinned()
    program = decided(folder, pinned)
    pinned.commands(program, COMMANDS)
    pinned.put("receipt/july.receipt.json", (folder / "july.receipt.json").read_bytes())
    pinned.commands(
        program,
        {
            "receipt/verify_report.txt": "verify july.receipt.json",
            "receipt/verify_report.json": "verify july.receipt.json --json",
        },
    )
    pinned.routes(program, ROUTES)
    pinned.routes(program, ROUTES_OF_REPOSITORY, BELOW)
    (openapi,) = program.get(["/openapi.json"])
    pinned.put("api/parameters.txt", parameters_of(openapi.body).encode())
    return pinned.all()


def editions(folder: Path) -> dict[str, str]:
    """Return editions of it in all their forms, after June's was published and much decided."""
    program = _filled(folder)
    pinned = Pinned()
    published = _publish(program, pinned)
    _decide(program, pinned, DECISIONS)
    program.draft(REPOSITORY, *edition_questions.DRAFTED)
    _decide(program, pinned, edition_questions.DECISIONS)
    pinned.commands(program, edition_questions.COMMANDS)
    pinned.commands(program, edition_questions.commands_about(published))
    pinned.routes(program, edition_questions.ROUTES_OF_REPOSITORY, BELOW)
    return pinned.all()


def _decide(program: Program, pinned: Pinned, decisions: Mapping[str, str]) -> None:
    for name, line in decisions.items():
        program.now += 60 * SECOND
        pinned.commands(program, {f"decisions/{name}.txt": line})


def _filled(folder: Path) -> Program:
    """Receive the deliveries, every ninth of them late; import git on the way, and at the end."""
    world = simulate(4, pulls=90, days=90)
    arriving: list[tuple[Moment, int]] = sorted(
        (each.at + (12 * DAY if each.index % 9 == 4 else 2 * SECOND), each.index)
        for each in world.deliveries
    )
    middle = world.truth.start + 70 * DAY
    program = Program(folder, world.truth.start)
    repository = f"--repo {REPOSITORY} --repo-id 1001".split()
    early = [(at, world.deliveries[index]) for at, index in arriving if at < middle]
    program.receive(early)
    program.now = middle
    world.build_repository(folder / "middle.git", at=middle)
    program.do("import", "git", "middle.git", *repository)
    program.receive([(at, world.deliveries[index]) for at, index in arriving if at >= middle])
    program.now = max(program.now, world.truth.end) + DAY
    world.build_repository(folder / "end.git")
    program.do("import", "git", "end.git", *repository)
    return program


def _publish(program: Program, pinned: Pinned) -> str:
    """Publish June's edition as files; return the record of its Markdown."""
    program.now += DAY
    june = ("publish", REPOSITORY, "--period", "2026-06", "--tz", "Asia/Shanghai")
    how = ("--language", "en", "--language", "zh", "--out", "out", "--with-gaps", "--send")
    said = program.do(*june, *how)
    found: dict[str, str] = dict(
        re.findall(r"published \S+-06\.(\S+) .*record ([0-9a-f]{32})", said)
    )
    pinned.names = {record: f"EDITION-RECORD-{what}" for what, record in found.items()}
    pinned.put("publish/said.txt", said.encode())
    out = program.folder / "out"
    for path in sorted(out.rglob("*.*")):
        pinned.put(f"publish/{path.relative_to(out)}", path.read_bytes())
    return found["en.md"]
