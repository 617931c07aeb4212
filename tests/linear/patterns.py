"""Every regular expression of the packages: by importing all modules, and by reading their code."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec

from tests.places import ROOT

PACKAGES: Final = ("events", "projections", "services")
#: How a pattern is used, by the name of the method or function.
USES: Final = {
    "search": "search",
    "match": "match",
    "fullmatch": "fullmatch",
    "sub": "all",
    "subn": "all",
    "findall": "all",
    "finditer": "all",
    "split": "all",
}
_MODULE_ATTRIBUTES: Final = frozenset(USES) | {"compile"}


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern, where it stands, and how it is used (a value of `USES`)."""

    place: str
    pattern: "re.Pattern[str] | re.Pattern[bytes]"
    uses: tuple[str, ...]


@cache
def patterns() -> tuple[Found, ...]:
    """Return the patterns that modules hold, and the ones written inside their functions."""
    held = [found for module in modules() for found in _held(module)]
    inside = [found for module in modules() for found in _inside(module)]
    return tuple({(each.place, each.pattern): each for each in (*held, *inside)}.values())


@cache
def modules() -> tuple[ModuleType, ...]:
    """Import every module of the packages but for programs."""
    names = [
        info.name
        for package in PACKAGES
        for info in pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        if not info.name.endswith("__main__")
    ]
    return tuple(importlib.import_module(name) for name in names)


def dynamic() -> list[str]:
    """Return the places in functions where a pattern is made from what is known only then."""
    return sorted(
        f"{_place(module)}:{_owner(tree, call)}"
        for module in modules()
        for tree in [_tree(module)]
        for call in _calls_inside(tree)
        if _constant(module, call) is None
    )


def _held(module: ModuleType) -> Iterator[Found]:
    uses = _uses(_tree(module))
    for name, value in vars(module).items():
        for pattern in _patterns_in(value, 0):
            yield Found(
                place=f"{_place(module)}:{name}",
                pattern=pattern,
                uses=tuple(sorted(uses.get(name, {"all", "fullmatch"}))),
            )


def _patterns_in(value: object, depth: int) -> Iterator["re.Pattern[str]"]:
    """Yield the patterns in a value: itself, its items, its fields."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _patterns_in(each, depth + 1)
    elif depth < 4 and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _patterns_in(each, depth + 1)
    elif depth < 4 and isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _patterns_in(getattr(value, field), depth + 1)


def _inside(module: ModuleType) -> Iterator[Found]:
    tree = _tree(module)
    for call in _calls_inside(tree):
        text = _constant(module, call)
        if text is not None:
            assert isinstance(call.func, ast.Attribute)
            use = USES.get(call.func.attr, "all")
            place = f"{_place(module)}:{_owner(tree, call)}"
            yield Found(place=place, pattern=re.compile(text), uses=(use,))


def _calls_inside(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls of `re` in functions: those of modules have been made by importing."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = function.body if isinstance(function.body, list) else [function.body]
            for node in (node for part in body for node in ast.walk(part)):
                if isinstance(node, ast.Call) and _is_of_re(node):
                    yield node


def _is_of_re(call: ast.Call) -> bool:
    func = call.func
    return (
        isinstance(func, ast.Attribute)
        and isinstance(func.value, ast.Name)
        and func.value.id == "re"
        and func.attr in _MODULE_ATTRIBUTES
    )


def _constant(module: ModuleType, call: ast.Call) -> str | None:
    """Return the text of a pattern that is written there, or has a name in the module."""
    given = call.args[0]
    value = vars(module).get(given.id) if isinstance(given, ast.Name) else None
    if isinstance(given, ast.Constant):
        value = given.value
    return value if isinstance(value, str) else None


def _owner(tree: ast.Module, call: ast.Call) -> str:
    """Return the name of the innermost function that a call stands in."""
    owners = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= call.lineno <= (node.end_lineno or node.lineno)
    ]
    return max(owners, key=lambda node: node.lineno).name if owners else "<lambda>"


def _uses(tree: ast.Module) -> dict[str, set[str]]:
    """Return how names are used; a name that is also handed on is used in every way."""
    uses: dict[str, set[str]] = {}
    called: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called.add(id(node.value))
            if node.attr in USES:
                uses.setdefault(node.value.id, set()).add(USES[node.attr])
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id in uses
            and id(node) not in called
        ):
            uses[node.id] |= {"all", "fullmatch"}
    return uses


def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text("utf-8"))


def _place(module: ModuleType) -> str:
    return Path(str(module.__file__)).relative_to(ROOT).as_posix()
