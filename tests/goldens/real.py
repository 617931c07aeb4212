"""The real history of ../shared: NVIDIA/Megatron-LM in July and August 2026, from git alone.

First it is imported as it was on 10 August, then whole; a roadmap's text and an edition that was
published elsewhere are imported too. Skips where the data is absent.
"""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.goldens.asking import Pinned
from tests.goldens.program import Moment, Program
from tests.goldens.real_questions import (
    COMMANDS,
    DIGESTED,
    DRAFTED,
    REPOSITORY,
    ROUTES,
    commands_about,
)
from tests.places import SHARED
from tests.real_history import rebuilt

SECOND: Final = 1_000_000
#: 10 August 2026, 00:00 UTC.
MIDDLE: Final[Moment] = 1_786_320_000 * SECOND
#: 2 September 2026, 00:00 UTC.
END: Final[Moment] = 1_788_307_200 * SECOND

_ROADMAP: Final = Path(__file__).parents[1] / "projections" / "roadmap_status" / "q3.md"
_PUBLISHED: Final = SHARED / "seeds" / "monthly-activity-report-2026-08.txt"


def real(folder: Path) -> dict[str, str]:
    """Return the golden files of the real history."""
    history = rebuilt()
    if not _PUBLISHED.is_file():
        pytest.skip("the published edition is not here (../shared beside the repository)")
    program = Program(folder, MIDDLE)
    _as_of_middle(history, folder / "middle.git")
    program.do("import", "git", "middle.git", "--repo", REPOSITORY)
    program.now = END
    program.do("import", "git", str(history), "--repo", REPOSITORY)
    program.draft(REPOSITORY, *DRAFTED)
    edition = _import_texts(program)
    pinned = Pinned(digested=DIGESTED)
    pinned.commands(program, COMMANDS)
    pinned.commands(program, commands_about(edition))
    pinned.routes(program, ROUTES, f"/v1/repositories/{REPOSITORY}")
    return pinned.all()


def _import_texts(program: Program) -> str:
    """Import a roadmap and a published edition; return the edition's record."""
    program.now += 60 * SECOND
    roadmap = ("--issue", "5676", "--at", "2026-08-20T00:00:00Z", "--author", "A")
    title = ("--title", "[ROADMAP][2026 Q3] Core")
    program.do("import", "roadmap", str(_ROADMAP), "--repo", REPOSITORY, *roadmap, *title)
    program.now += 60 * SECOND
    august = ("--period", "2026-08", "--tz", "Asia/Shanghai", "--author", "A")
    said = program.do("import", "edition", str(_PUBLISHED), "--repo", REPOSITORY, *august)
    return said.rpartition("record ")[2][:32]


def _as_of_middle(history: Path, clone: Path) -> None:
    """Clone the history with its branches and tags as they were by their commits' dates."""

    def git(*arguments: str, told: str | None = None) -> str:
        command = ["git", "-C", str(clone), *arguments]
        done = subprocess.run(command, input=told, capture_output=True, text=True, check=True)
        return done.stdout

    source = ("clone", "--quiet", "--bare", "--shared", str(history), str(clone))
    subprocess.run(["git", *source], check=True, capture_output=True)
    moved = []
    for ref in git("for-each-ref", "--format=%(refname)").splitlines():
        before = f"--before={MIDDLE // SECOND}"
        then = git("rev-list", "-1", "--first-parent", before, ref).strip()
        if ref.startswith("refs/tags/"):
            then = then if then == git("rev-parse", f"{ref}^{{commit}}").strip() else ""
            moved += [] if then else [f"delete {ref}"]
        else:
            moved.append(f"update {ref} {then}" if then else f"delete {ref}")
    git("update-ref", "--stdin", told="\n".join([*moved, ""]))
