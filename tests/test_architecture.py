"""The shape of the code, where a check can hold it."""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import grimp
import pytest

from tests.places import ROOT

PACKAGES: Final = ("events", "projections", "services", "deploy", "tests")
LONGEST_FILE: Final = 300

#: What could read or write the world, or tell the time.
IMPURE: Final = frozenset(
    {
        *("asyncio", "multiprocessing", "threading", "subprocess", "signal", "ctypes"),
        *("os", "sys", "io", "pathlib", "glob", "shutil", "tempfile", "fcntl", "platform"),
        *("http", "socket", "select", "sqlite3", "logging", "urllib.request"),
        *("time", "random", "uuid"),
    }
)
#: `events.log.memory` is a log that threads share; its clock is handed to it.
ALLOWED: Final = {"events/log/memory.py": {"threading"}}


def sources(*packages: str) -> list[Path]:
    """Return the Python files of packages."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", sources("events"), ids=name_of)
def test_events_import_nothing_that_touches_the_world(path: Path) -> None:
    found = {name for name in imported(path) if name in IMPURE or name.split(".")[0] in IMPURE}
    assert found <= ALLOWED.get(name_of(path), set())


def test_no_file_is_longer_than_one_can_read_at_once() -> None:
    lengths = {
        name_of(path): len(path.read_text("utf-8").splitlines()) for path in sources(*PACKAGES)
    }
    assert {name: count for name, count in lengths.items() if count > LONGEST_FILE} == {}


def test_packages_only_say_what_they_are_and_re_export_it() -> None:
    wrong = {
        name_of(path): init_fault(ast.parse(path.read_text("utf-8")))
        for path in sources("events", "projections", "services")
        if path.name == "__init__.py"
    }
    assert {name: fault for name, fault in wrong.items() if fault} == {}


def init_fault(tree: ast.Module) -> str | None:
    """Return what an `__init__.py` does beyond a docstring, imports and a sorted `__all__`."""
    if ast.get_docstring(tree) is None:
        return "no docstring"
    imports: set[str] = set()
    listed: list[str] = []
    for node in tree.body[1:]:
        if isinstance(node, ast.ImportFrom):
            imports |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            listed = ast.literal_eval(node.value)
        else:
            return f"line {node.lineno} does something"
    if sorted(listed) != sorted(imports) or len(listed) != len(set(listed)):
        return "__all__ is not what is imported"
    return None


def test_every_folder_of_tests_is_a_package() -> None:
    folders = {path.parent for path in sources("tests")}
    assert [name_of(each) for each in folders if not (each / "__init__.py").is_file()] == []


def test_nobody_else_provides_our_import_names() -> None:
    others = {
        f"{distribution.name}: {name}"
        for distribution in distributions()
        if distribution.name != "shipledger"
        for name in (distribution.read_text("top_level.txt") or "").split()
        if name in PACKAGES
    }
    assert others == set()


def test_nothing_but_tests_imports_tests() -> None:
    guilty = [
        name_of(path)
        for path in sources("events", "projections", "services", "deploy")
        if any(name.split(".")[0] == "tests" for name in imported(path))
    ]
    assert guilty == []


def test_imports_flow_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(linter), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_no_circle_between_folders_or_files_of_one_folder() -> None:
    graph = grimp.build_graph("services", "projections", "events", cache_dir=None)
    below: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for importer in graph.modules:
        for target in graph.find_modules_directly_imported_by(importer):
            here, there = importer.split("."), target.split(".")
            pairs = enumerate(zip(here, there, strict=False))
            parted = next((nth for nth, (one, other) in pairs if one != other), None)
            if parted is not None:  # None: one is the package of the other
                below[".".join(here[:parted])][here[parted]].add(there[parted])
    circles = {}
    for folder, imports in below.items():
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            circles[folder] = error.args[1]
    assert circles == {}
