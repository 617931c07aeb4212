"""Globs over paths: what they take, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.period_ledger.globs import pattern_of

NAMES = st.text("ab._-é (", max_size=3).map("a".__add__)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("glob", "takes", "leaves"),
    [
        ("tests/", ["tests/a", "tests/a/b"], ["tests", "a/tests/b", "tests_a/b"]),
        ("**/tests/", ["tests/a", "a/b/tests/c"], ["atests/b", "a/tests"]),
        ("*.md", ["a.md", ".md"], ["docs/a.md", "a.mdx"]),
        ("**/test_*.py", ["test_a.py", "a/b/test_.py"], ["a/latest_a.py", "test_a/b.py"]),
        ("a?c", ["abc"], ["a/c", "ac"]),
        ("v[0-9].txt", ["v1.txt"], ["va.txt", "v10.txt"]),
        ("v[!0-9].txt", ["va.txt"], ["v1.txt", "v/.txt"]),
        ("{.,}ci.{yml,yaml}", [".ci.yml", "ci.yaml"], ["xci.yml", "ci.yml.bak"]),
        ("a/**/b", ["a/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("a+(b).py", ["a+(b).py"], ["aa(b)xpy"]),
        ("docs/**", ["docs/a", "docs/a/b"], ["docs", "adocs/a"]),
    ],
)
def test_a_glob_takes_what_it_says(glob: str, takes: list[str], leaves: list[str]) -> None:
    pattern = pattern_of(glob)
    assert [path for path in takes if not pattern.fullmatch(path)] == []
    assert [path for path in leaves if pattern.fullmatch(path)] == []


@pytest.mark.parametrize("glob", ["", "/", "/tests/", "a**b", "tests/**x", "a[b", "{a,b", "a}"])
def test_what_is_no_glob_is_refused(glob: str) -> None:
    with pytest.raises(ValueError, match=r"root|bracket|folder"):
        pattern_of(glob)


@given(path=PATHS, below=PATHS)
def test_a_folder_takes_all_below_it_and_nothing_beside(path: str, below: str) -> None:
    folder = pattern_of(f"{path}/")
    assert folder.fullmatch(f"{path}/{below}")
    assert not folder.fullmatch(path)
    assert not folder.fullmatch(f"x{path}/{below}")
    assert pattern_of(f"**/{path}/").fullmatch(f"{below}/{path}/{below}")


@given(path=PATHS)
def test_a_plain_path_takes_itself_alone(path: str) -> None:
    assert pattern_of(path).fullmatch(path)
    assert not pattern_of(path).fullmatch(f"{path}x")
