"""What waits for a person: doubts that can change an answer, weightiest first. Pure."""

from collections import Counter

import msgspec

from projections.release_inclusion.history.decisions import mention_id
from projections.release_inclusion.history.doubts import doubtful_tips
from projections.release_inclusion.history.resolution import Resolved
from projections.release_inclusion.view import ReleaseView


class ReviewItem(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a person: the mentions of one commit that mean the same."""

    id: str
    sha: str
    subject_numbers: tuple[int, ...]
    mentions: tuple[Resolved, ...]
    answers: int
    """How many answers (a request in a release or long-lived branch) hang on it."""


def reviews(view: ReleaseView) -> list[ReviewItem]:
    """Return what waits for a person, the questions first on which most answers hang.

    What cannot change an answer is no question.
    """
    weights: Counter[tuple[str, int]] = Counter()
    doubted = {number for doubt in view.history.resolution.doubts for number in doubt.numbers}
    for number in doubted | {*view.history.carriers.numbers()}:
        for sha, tips in doubtful_tips(view.history, number).items():
            weights[sha, number] += tips.bit_count()
    questions: dict[tuple[str, str, tuple[int, ...]], list[Resolved]] = {}
    for doubt in view.history.resolution.doubts:
        key = (doubt.sha, doubt.mention.role.value, tuple(sorted(doubt.numbers)))
        questions.setdefault(key, []).append(doubt)
    items = (_review_item(doubts, weights) for doubts in questions.values())
    return sorted((item for item in items if item.answers), key=lambda item: -item.answers)


def _review_item(doubts: list[Resolved], weights: Counter[tuple[str, int]]) -> ReviewItem:
    first = doubts[0]
    about = [number for sha, number in weights if sha == first.sha]
    return ReviewItem(
        id=mention_id(first.sha, first.mention),
        sha=first.sha,
        subject_numbers=tuple(sorted(first.numbers)),
        mentions=tuple(doubts),
        answers=sum(weights[first.sha, number] for number in about),
    )
