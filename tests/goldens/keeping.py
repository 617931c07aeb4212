"""The golden files on disk: written by the update command, compared by the test."""

from difflib import unified_diff
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
UPDATE: Final = "python -m tests.goldens"

#: So many files are shown that differ, with so many lines of each, and so much of a line.
_FILES, _LINES, _WIDTH = 8, 24, 200


def folder(name: str) -> Path:
    """Return where the golden files of a data set lie."""
    return HERE / name


def kept(name: str) -> dict[str, str]:
    """Read the golden files of a data set by their names in it."""
    top = folder(name)
    return {
        path.relative_to(top).as_posix(): path.read_bytes().decode()
        for path in sorted(top.rglob("*"))
        if path.is_file()
    }


def write(name: str, files: dict[str, str]) -> list[str]:
    """Make the folder hold these files and no others; return the names that changed."""
    top, before = folder(name), kept(name)
    for stale in before.keys() - files.keys():
        (top / stale).unlink()
    for each, text in files.items():
        path = top / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return sorted(
        each for each in before.keys() | files.keys() if before.get(each) != files.get(each)
    )


def differences(name: str, files: dict[str, str]) -> str:
    """Return what differs from the golden files, in short, and what to do; empty if nothing."""
    before = kept(name)
    changed = [
        each for each in sorted(before.keys() | files.keys()) if before.get(each) != files.get(each)
    ]
    if not changed:
        return ""
    shown = [_short(f"{name}/{each}", before.get(each), files.get(each)) for each in changed]
    more = f"\n… and {len(changed) - _FILES} more: {changed[_FILES:]}" * (len(changed) > _FILES)
    return (
        f"{len(changed)} golden files differ from today's answers.\n"
        + "\n".join(shown[:_FILES])
        + f"{more}\n\nWhere that is meant: `{UPDATE} {name}`, and look at `git diff tests/goldens`."
    )


def _short(name: str, before: str | None, after: str | None) -> str:
    if before is None or after is None:
        return f"{name}: {'not pinned yet' if before is None else 'not answered any more'}"
    lines = unified_diff(before.splitlines(), after.splitlines(), name, "now", lineterm="", n=1)
    found = [line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…" for line in lines]
    if not found:
        return f"{name}: line ends differ"
    cut = f"\n… {len(found) - _LINES} lines more" * (len(found) > _LINES)
    return "\n".join(found[:_LINES]) + cut
