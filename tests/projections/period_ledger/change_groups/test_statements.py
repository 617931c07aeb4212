"""What titles, texts and branch names of requests say about others."""

import pytest

from projections.period_ledger.change_groups.members import Kind, Member
from projections.period_ledger.change_groups.pairing import StatementReader
from projections.period_ledger.change_groups.statements import (
    SpokenWords,
    read_statements,
    read_words,
    resubmissions,
)
from projections.release_inclusion.messages.references import Names
from tests.projections.period_ledger.change_groups.builders import NAMES, member

PICK, PORT, BACK, REVERT = Kind.PICK, Kind.PORT, Kind.RESUBMISSION, Kind.REVERT

TITLES = [
    ("cp: `docs: Add it (12)` into `core_r0.17.0`", [(12, PICK, True)]),
    ("Tune the router (backport #12)", [(12, PICK, True)]),
    ("[PR #12/e8265107 backport][1.2] Tune the router", [(12, PICK, True)]),
    ("[Backport release-1.2] Tune the router", []),
    ("Tune the router (port of #12)", [(12, PORT, True)]),
    ("[main port of #12] Tune the router", [(12, PORT, True)]),
    ("Tune the router (dev PR #12)", [(12, PORT, True)]),
    ("Tune the router (#12)", []),
    ("Port the router to CUDA", []),
    ("Fix crash after port of the loader, see #12", [(12, PORT, False)]),
    ('Revert "Tune the router (#12)"', [(12, REVERT, True)]),
    ('Reapply "Tune the router (#12)"', [(12, BACK, True)]),
]

TEXTS = [
    ("Backport of #12 to `release-1.2`.", [(12, PICK, True)]),
    ("This is an automatic backport of pull request #12 done by Mergify.", [(12, PICK, True)]),
    ("**This is a backport of PR #12 as merged into main (e8265107).**", [(12, PICK, True)]),
    ("beep boop: we've cherry picked #12 into  for you!", [(12, PICK, True)]),
    ("Dev PR: #12", [(12, PORT, True)]),
    ("- **Main PR:** https://github.com/acme/widget/pull/12", [(12, PORT, True)]),
    ("This is the main version of #12.", [(12, PORT, True)]),
    ("PR for the dev branch: #12", [(12, PORT, True)]),
    ("Mirrors #12", [(12, PORT, True)]),
    ("Port of other/place#12", []),
    ("Not a port of #12, only alike.", [(12, PORT, False)]),
    ("Port of #12 without the tests", [(12, PORT, False)]),
    ("The main port of #12 follows once #13 is in.", [(12, PORT, False)]),
    ("<!-- Dev PR: #12 -->", []),
    ("```\nDev PR: #12\n```", []),
    ("> Dev PR: #12", []),
    ("See #12 for the reason.", []),
    ("Depends on #12", []),
    ("Reverts acme/widget#12", [(12, REVERT, True)]),
    ("Restores #12 after #13.", [(12, BACK, True)]),
]

BRANCHES = [
    ("cherry-pick-12-core_r0.17.0", [(12, PICK, True)]),
    ("backport-12-to-release-1.2", [(12, PICK, True)]),
    ("mergify/bp/1.2/pr-12", [(12, PICK, True)]),
    (f"patchback/backports/1.2/{'a' * 40}/pr-12", [(12, PICK, True)]),
    ("automated-cherry-pick-of-#12-#13-upstream-1.2", [(12, PICK, True), (13, PICK, True)]),
    ("revert-12-topic", [(12, REVERT, True)]),
    ("someone/port-12", [(12, PORT, False)]),
    ("someone/fix-12", []),
    ("release/0.12", []),
]


@pytest.mark.parametrize(("title", "said"), TITLES, ids=[title for title, _ in TITLES])
def test_a_title_says(title: str, said: list[tuple[int, Kind, bool]]) -> None:
    assert told(title=title) == said


@pytest.mark.parametrize(("text", "said"), TEXTS, ids=[text for text, _ in TEXTS])
def test_a_text_says(text: str, said: list[tuple[int, Kind, bool]]) -> None:
    assert told(text=f"What changes, and why.\n\n{text}\n") == said


@pytest.mark.parametrize(("head", "said"), BRANCHES, ids=[head for head, _ in BRANCHES])
def test_a_branch_says(head: str, said: list[tuple[int, Kind, bool]]) -> None:
    assert told(head=head) == said


def test_a_commit_means_the_request_that_it_landed() -> None:
    sha = "a" * 40
    one = member(50, text=f"(cherry picked from commit {sha})")
    found = read_statements(one, NAMES, {sha: 12})
    assert [(each.target, each.kind) for each in found] == [(12, PICK)]
    assert read_statements(one, NAMES, {}) == ()


def test_what_is_said_is_quoted_as_it_stands() -> None:
    (one,) = read_statements(member(50, text="Why.\n\n* Dev PR: #12 (merged)\n"), NAMES)
    assert (one.place, one.says) == ("text", "* Dev PR: #12 (merged)")


def test_reverting_a_revert_brings_the_change_back_however_often() -> None:
    chain = [
        *read_statements(member(2, 'Revert "Tune it (#1)"'), NAMES),
        *read_statements(member(3, 'Revert "Revert "Tune it (#1)" (#2)"'), NAMES),
        *read_statements(member(4, 'Revert "Revert "Revert "Tune it (#1)" (#2)" (#3)"'), NAMES),
    ]
    found = {(one.number, one.target): one.kind for one in resubmissions(chain)}
    assert found[3, 1] is BACK
    assert found[4, 1] is REVERT
    assert found[4, 2] is BACK


def told(**fields: str) -> list[tuple[int, Kind, bool]]:
    found = read_statements(member(50, **{"title": "Tune it", **fields}), NAMES)
    return [(one.target, one.kind, one.certain) for one in found]


def test_a_request_is_read_once_and_its_commits_are_looked_up_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(one: Member, names: Names) -> SpokenWords:
        read.append(one.number)
        return read_words(one, names)

    monkeypatch.setattr("projections.period_ledger.change_groups.pairing.read_words", counted)
    sha = "0123456789abcdef0123456789abcdef01234567"
    hearing = StatementReader(NAMES)
    picked = member(50, "Tune it", text=f"(cherry picked from commit {sha})")
    assert hearing.statements({50: picked}) == ()
    (one,) = hearing.statements({50: picked, 12: member(12, commits=(sha,))})
    assert (one.number, one.target) == (50, 12)
    assert sorted(read) == [12, 50]
