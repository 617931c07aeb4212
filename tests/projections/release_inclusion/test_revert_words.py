"""The subjects of the real history that speak of reverting or restoring, sorted by eye.

`revert_words.csv` says of each what it is: `prose` where nothing is nameable, else `revert` or
`restore` with the number or the commit (where this repository has one). `form` is `usual` for
`Revert "…"` and `This reverts commit …`, which need no eye.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from projections.release_inclusion.history.carriers import CarrierRole, read_commits
from projections.release_inclusion.history.history import History
from projections.release_inclusion.messages.mention import Role
from projections.release_inclusion.messages.references import Names
from tests.projections.release_inclusion.histories import Megatron

TABLE: Final = Path(__file__).with_name("revert_words.csv")
WORDS: Final = re.compile(
    r"\b(revert\w*|re-?add\w*|restor\w*|re-?apply\w*|replay\w*|re-?land\w*)\b", re.IGNORECASE
)
KNOWN_WRONG: Final = {
    "0d982fcb0ac4": "reverts a branch that it calls by name",
    "7f7ffcf895ab": "the merge of a branch that is called re-apply",
    "c7a3aa455faa": "says in passing that it fixes what was reverted",
    "23a1dcaf740e": "replays a request under another title",
    "5823534a4078": "reapplies a request under another title",
    "8a29fd575242": "reapplies a request under another title",
    "7c271087451c": "`revert:` before what is no title",
}
NAMES: Final = Names.of("NVIDIA/Megatron-LM")

Row = dict[str, str]


def _rows() -> list[Row]:
    with TABLE.open(newline="") as lines:
        return list(csv.DictReader(lines))


def _means(history: History, sha: str) -> Iterator[tuple[str, int | None, str]]:
    """Yield role, number and target of what the rules make of a commit."""
    reverting = history.resolution.targets()
    for one in (*history.resolution.reverts, *history.resolution.doubts):
        if one.sha == sha and one.mention.role is not Role.PICK:
            named = one.targets or {one.mention.sha or ""}
            for number in one.numbers or {None}:
                yield from ((one.mention.role.value, number, target) for target in named)
            # To revert a revert is to restore.
            yield from (("restore", None, target) for target in named if target in reverting)
    for carrier in history.carriers.at(sha):
        if carrier.role is CarrierRole.RESTORE:
            yield "restore", carrier.number, ""


def _right(row: Row, told: list[tuple[str, int | None, str]]) -> bool:
    if row["verdict"] == "prose":
        return not told
    roles = [(n, t) for role, n, t in told if role == row["verdict"]]
    number = int(row["number"]) if row["number"] else None
    targets = [t for _, _, t in told if row["target"] and t.startswith(row["target"])]
    return (
        bool(roles)
        and (number is None or any(n == number for n, _ in roles))
        and (not row["target"] or bool(targets))
    )


@pytest.fixture(scope="module")
def wrong(megatron: Megatron, megatron_history: History) -> dict[str, Row]:
    """The rows that the rules get wrong, by abbreviated SHA."""
    known = {commit.sha[:12]: commit for commit in megatron.commits}
    found: dict[str, Row] = {}
    for row in _rows():
        sha = known[row["sha"]].sha
        told = [*_means(megatron_history, sha)]
        if not told:
            reading = read_commits([known[row["sha"]]], NAMES)[sha]
            told = [
                (m.role.value, m.number, "") for m in reading.mentions if m.role is not Role.PICK
            ]
        if not _right(row, told):
            found[row["sha"]] = row
    return found


def test_the_table_holds_every_subject_with_such_a_word(megatron: Megatron) -> None:
    spoken = {c.sha[:12]: c for c in megatron.commits if WORDS.search(c.subject)}
    assert {row["sha"] for row in _rows()} == spoken.keys()
    for row in _rows():
        commit = spoken[row["sha"]]
        usual = 'Revert "' in commit.subject or "This reverts commit" in commit.message
        assert row["form"] == ("usual" if usual else "other")


def test_at_least_85_of_92_unusual_subjects_are_right(wrong: dict[str, Row]) -> None:
    unusual = [row for row in _rows() if row["form"] == "other"]
    right = [row for row in unusual if row["sha"] not in wrong]
    assert len(unusual) == 127
    assert len(right) * 92 >= len(unusual) * 85


def test_those_that_are_wrong_are_known_by_name(wrong: dict[str, Row]) -> None:
    assert wrong.keys() == KNOWN_WRONG.keys()
