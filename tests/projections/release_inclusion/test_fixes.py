"""Which earlier change a commit says it fixes: tables of words that do, and of others."""

import pytest

from projections.release_inclusion.messages.fixes import read_fixes
from tests.projections.release_inclusion.message_cases import NAMES, X

HINTS: dict[str, tuple[str, str, list[int | str]]] = {
    "a regression": ("Fix a regression introduced by #12 (#34)", "", [12]),
    "fixes for": ("Fixes for #12. (#34)", "", [12]),
    "a follow-up": ("Follow-up to #12: Add a test (#34)", "", [12]),
    "a followup of a pull request": ("Mend it", "This is a followup to PR #12.", [12]),
    "a follow up fix": ("Follow up fix for #12 (#34)", "", [12]),
    "bugs of it": ("Mend it (#34)", "Fixes bugs in code that was introduced in #12", [12]),
    "broken by": ("Fix tests that were broken by #12", "", [12]),
    "regressions from": ("Repair (#34)", "It is a regression from #12", [12]),
    "by its address": ("Mend it", "Caused by https://github.com/acme/widget/pull/12", [12]),
    "by its name": ("Mend it", "Broken since acme/widget#12.", [12]),
    "two of them": ("Fix what was caused by #12", "Regression of #13", [12, 13]),
    "the trailer with a commit": ("Mend it", f'Fixes: {X[:12]} ("Add it")', [X[:12]]),
    "the trailer with a number": ("Mend it", "Fixes: #12", [12]),
    "a commit in words": ("Mend it", f"This was introduced in {X}, but late.", [X]),
    "a closing keyword": ("Mend it (#34)", "Fixes #12", [12]),
}

PROSE: dict[str, tuple[str, str]] = {
    "another repository": ("Mend it", "Regression introduced by other/repo#12"),
    "a fix that is named": ("Test it (#34)", "The crash was fixed by #12"),
    "a fix elsewhere": ("Test it (#34)", "All others have been fixed in #12"),
    "a pick of a fix": ("Cherry-pick bugfix #12 and release", ""),
    "an earlier fix": ("Mend it", "Previous fix in #12 tried to keep track of it"),
    "its own number": ("Fix the parser (#34)", ""),
    "a word of letters": ("Fix faced defaced", ""),
    "a number in passing": ("Add it (#34)", "See #12, which introduced it"),
}


@pytest.mark.parametrize("case", HINTS.values(), ids=HINTS)
def test_what_a_commit_says_it_fixes(case: tuple[str, str, list[int | str]]) -> None:
    subject, message, expected = case
    fixes = read_fixes(subject, message, NAMES)
    assert [fix.number or fix.sha for fix in fixes] == expected


@pytest.mark.parametrize("case", PROSE.values(), ids=PROSE)
def test_what_says_no_such_thing(case: tuple[str, str]) -> None:
    assert read_fixes(*case, NAMES) == ()


def test_the_sentence_is_the_line_that_says_so() -> None:
    (fix,) = read_fixes("Mend it", "Some words.\n  It is  a regression of #12.\nMore.", NAMES)
    assert fix.sentence == "It is a regression of #12."
