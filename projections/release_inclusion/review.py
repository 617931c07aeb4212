"""What waits for a person: doubts that can change an answer, weightiest first. Pure."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from operator import or_

import msgspec

from projections.release_inclusion.history.attribution import whole_doubt
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
    items = [_review_item(doubts, weights) for doubts in questions.values()]
    items += _whole_or_not(view)
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


def _whole_or_not(view: ReleaseView) -> Iterator[ReviewItem]:
    """Yield the copies of one commit of a request that may hold all of it."""
    history = view.history
    for carrier in history.carriers:
        if not history.may_hold_more(carrier):
            continue
        where = view.matrix.of(carrier.number)
        certain = where.included | where.partly | where.reverted
        doubted = reduce(or_, doubtful_tips(history, carrier.number).values(), 0)
        unsure = history.standing.get(carrier.sha, 0) & where.undetermined & ~doubted & ~certain
        if unsure:
            doubt = whole_doubt(carrier)
            yield ReviewItem(
                id=mention_id(carrier.sha, doubt.mention),
                sha=carrier.sha,
                subject_numbers=(carrier.number,),
                mentions=(doubt,),
                answers=unsure.bit_count(),
            )
