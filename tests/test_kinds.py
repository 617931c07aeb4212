"""The table of kinds names every kind once, and tests that are there."""

import re
from typing import Final

import pytest

from tests.places import ROOT

KINDS: Final = (ROOT / "docs/kinds.md").read_text("utf-8")
ROWS: Final = re.findall(r"^\| ([A-D][0-9]+) [^|]*\| ([^|]+) \| ([^|]+) \|([^|]*)\|$", KINDS, re.M)
EXPECTED: Final = [
    f"{part}{number}"
    for part, count in (("A", 21), ("B", 7), ("C", 9), ("D", 8))
    for number in range(1, count + 1)
]
_NAMED: Final = re.compile(r"`([\w/]+\.py)(?:::(\w+))?`")


def test_every_kind_has_one_row() -> None:
    assert [kind for kind, *_ in ROWS] == EXPECTED


@pytest.mark.parametrize(("kind", "rule", "tests"), [row[:3] for row in ROWS])
def test_a_row_has_a_rule_and_tests(kind: str, rule: str, tests: str) -> None:
    assert re.fullmatch(r"\S.*\.", rule), kind
    assert _NAMED.search(tests), kind


@pytest.mark.parametrize(("path", "function"), sorted(set(_NAMED.findall(KINDS))))
def test_every_test_that_is_named_is_there(path: str, function: str) -> None:
    text = (ROOT / "tests" / path).read_text("utf-8")
    wanted = function or r"test_\w+"
    assert re.search(rf"^(?:async )?def {wanted}\(", text, re.M), f"{path}::{function}"
