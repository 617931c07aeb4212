"""Titles as bullets."""

import pytest

from services.answers.text.titles import clean_title

CASES = [
    ("[Dev] Support selective recompute (#5841)", "Support selective recompute"),
    ("feat(moe): add the router", "moe: add the router"),
    ("fix: release storage after deletion", "Release storage after deletion"),
    ("[dev] moe(perf): Refactor the layout", "moe(perf): Refactor the layout"),
    ("cp: `docs: Add it (2499)` into `core_r0.15.0`", "Add it"),
    ("Tune it (cherry-pick #12) (#34)", "Tune it"),
    ("[PR #12/e8265107 backport][9.0.x] doc: tune it", "Tune it"),
    ("[PR #12/e8265107 backport][stable-9] Tune it (#34)", "Tune it"),
    ("[Draft] Tune it", "[Draft] Tune it"),
    ("WIP: not tested yet", "WIP: not tested yet"),
    ("mHC in fp32", "mHC in fp32"),
    ("fp8_gemm on one stream", "fp8_gemm on one stream"),
    ('Revert "fix: it (#1)"', 'Revert "fix: it (#1)"'),
    ("数据管道 in data", "数据管道 in data"),
    ("  two\n lines ", "Two lines"),
    ("[Dev]", "[Dev]"),
    ("fix:", "fix:"),
    (" ", ""),
]


@pytest.mark.parametrize(("title", "clean"), CASES, ids=[title for title, _ in CASES])
def test_a_title_is_cleaned(title: str, clean: str) -> None:
    assert clean_title(title) == clean
    assert clean_title(clean) == clean
