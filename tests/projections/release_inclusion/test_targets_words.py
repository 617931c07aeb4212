"""Reverts that name a commit which nobody holds: their words have to do."""

from events.facts.git import Commit
from projections.release_inclusion.history.history import read_history
from projections.release_inclusion.history.verdicts import verdict

LOST = "f" * 39


def line(*messages: tuple[str, str]) -> list[Commit]:
    """Return commits in a row, each with its subject and the rest of its message."""
    return [
        Commit(
            sha=f"{place:040x}",
            parents=(f"{place - 1:040x}",) if place else (),
            authored_at=place,
            committed_at=place,
            author="dev-a",
            subject=subject,
            message=message,
        )
        for place, (subject, message) in enumerate(messages)
    ]


CHAIN = line(
    ("Start", ""),
    ("Remove unused arguments (#2898)", ""),
    ('Revert "Remove unused arguments (#2898)" (#2916)', ""),
    ('Reapply "Remove unused arguments (#2898)" (#2916)', f"This reverts commit {LOST}1."),
    (
        'Revert "Reapply "Remove unused arguments (#2898)" (#2916)"',
        f"This reverts commit {LOST}2.",
    ),
)


def outcome(upto: int) -> str:
    tip = CHAIN[upto].sha
    return verdict(read_history(CHAIN, branches={"main": tip}), 2898, tip).outcome


def test_a_chain_is_followed_by_its_words_where_its_commits_are_unknown() -> None:
    assert [outcome(upto) for upto in range(1, 5)] == [
        "included",
        "reverted",
        "included",
        "reverted",
    ]
