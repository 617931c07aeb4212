"""Requests that look alike: equal patches, or near titles with common paths or authors. Pure.

Precision comes first. Two titles alone never join anything: the requests must go to different
branches, name the same numbers, change much the same paths, and be the only two that fit. What
falls short of one of these waits for a person.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec
from rapidfuzz import fuzz, process

from events.instant import Instant
from projections.period_ledger.change_groups.branch_names import branch_stem
from projections.period_ledger.change_groups.members import CONFIDENCE, Kind, Member, Pair
from projections.release_inclusion.messages.references import normal_title

#: Branches on which work lands; a stacked request is no port of the one below it.
_ROLES: Final = frozenset({"main", "dev", "release"})
_BRANCH_TAG: Final = re.compile(
    r"[\[(]\s*+(?:main|master|dev|develop|release|core[\w.]*|[\w./-]{0,60}\d{1,9}\.\d{1,9}[\w.]*)"
    r"(?:[ -]branch)?\s*+[\])]|^\s*+(?:main|dev)\s*+:\s*+"
    r"|(?<!\s)\s++(?:on|for|to|into)\s++(?:main|dev)\s*+$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+")
#: Percent of `fuzz.ratio`. Below NEAR two titles have nothing to do with each other; from SAME on
#: they differ in a letter or a mark.
_NEAR, _SAME = 86.0, 95.0
#: Shares of common paths among all paths of both.
_SOME_PATHS, _MOST_PATHS, _ALL_PATHS = 0.3, 0.5, 0.8
#: A title of fewer words is as likely to be used twice ("Update golden values").
_FEWEST_WORDS: Final = 4


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How far apart in time two requests of one change may be opened, in microseconds."""

    window: Instant = 120 * 24 * 3600 * 1_000_000


def change_title(title: str) -> str:
    """Return what titles of one change on several branches share."""
    return normal_title(_BRANCH_TAG.sub(" ", title))


def equal_patches(
    members: Mapping[int, Member], reverts: Iterable[tuple[int, int]] = ()
) -> Iterator[Pair]:
    """Yield the pairs with one patch id; `reverts` are (revert, target).

    On one branch the second brings the first back where that was reverted in between; else a
    person says what it is.
    """
    undoing: dict[int, list[Member]] = {}
    for number, target in reverts:
        undoing.setdefault(target, []).append(members[number])
    by_patch: dict[str, list[Member]] = {}
    for member in members.values():
        for patch in sorted(member.patches):
            by_patch.setdefault(patch, []).append(member)
    for same in by_patch.values():
        for early, late in combinations(sorted(same, key=_age), 2):
            if early.base != late.base:
                yield _pair(late, early, "equal patch", "")
            elif any(
                _lies_between(revert, early, late) for revert in undoing.get(early.number, ())
            ):
                again = _pair(late, early, "equal patch", "")
                yield msgspec.structs.replace(again, kind=Kind.RESUBMISSION)
            else:
                yield _pair(late, early, "equal patch", "both go to one branch")


def _lies_between(revert: Member, early: Member, late: Member) -> bool:
    """Tell whether a revert was merged after one request, and before another could be."""
    if revert.state != "merged" or revert.base != early.base or revert.number == late.number:
        return False
    done = revert.ended_at or 0
    return (early.ended_at or 0) <= done and (late.state == "open" or done <= (late.ended_at or 0))


def similar_titles(
    members: Mapping[int, Member],
    near: Mapping[tuple[int, int], float],
    without: frozenset[int] = frozenset(),
) -> list[Pair]:
    """Return the pairs among those of near titles that look alike.

    `without` are left out: a revert quotes the title of what it reverts.
    """
    pairs = [
        pair
        for (late, early), score in near.items()
        if without.isdisjoint((late, early))
        and (pair := _compared(members[late], members[early], score)) is not None
    ]
    return _only_ones(members, pairs)


def near_titles(
    members: Mapping[int, Member], wanted: Iterable[int], limits: Limits | None = None
) -> dict[tuple[int, int], float]:
    """Return (later, earlier) of all that near titles let one compare, and how near they are."""
    limits = limits or Limits()
    titles = {
        number: title
        for number, member in sorted(members.items())
        if member.role in _ROLES and (title := change_title(member.title))
    }
    near: dict[tuple[int, int], float] = {}
    for number in sorted(set(wanted) & titles.keys()):
        for _, score, other in process.extract(
            titles[number], titles, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=None
        ):
            early, late = sorted((members[number], members[other]), key=_age)
            if _comparable(late, early, titles, limits):
                near[late.number, early.number] = score
    return near


def _comparable(late: Member, early: Member, titles: Mapping[int, str], limits: Limits) -> bool:
    if late.base == early.base or late.opened_at - early.opened_at > limits.window:
        return False
    # else they are parts of a series, or versions of one dependency
    return _NUMBER.findall(titles[late.number]) == _NUMBER.findall(titles[early.number])


def _compared(late: Member, early: Member, score: float) -> Pair | None:
    shared = _common(late.paths, early.paths)
    same_author = late.author is not None and late.author == early.author
    stem = branch_stem(late.head)
    same_branch = same_author and len(stem) > 3 and stem == branch_stem(early.head)
    if shared is None and not same_author:
        return None
    if shared is not None and shared < _SOME_PATHS and not (same_author and score >= _SAME):
        return None
    return _pair(
        late,
        early,
        "equal title" if score >= _SAME else "similar title",
        _doubt(late, score, shared, same_author=same_author, same_branch=same_branch),
    )


def _doubt(
    late: Member, score: float, shared: float | None, *, same_author: bool, same_branch: bool
) -> str:
    """Return what keeps two requests of near titles from being certain; empty where nothing."""
    if score < _SAME:
        return "the titles differ"
    if len(change_title(late.title).split()) < _FEWEST_WORDS and not same_branch:
        return "the title is too short to tell"
    if shared is None:
        return "the changed paths are not known"
    if shared < _MOST_PATHS:
        return "the changed paths differ"
    if shared < _ALL_PATHS and not same_author:
        return "the authors and some paths differ"
    return ""


def _only_ones(members: Mapping[int, Member], pairs: Sequence[Pair]) -> list[Pair]:
    """Keep a pair certain only where neither end has a second partner on the other's branch."""
    partners: Counter[tuple[int, str | None]] = Counter()
    for pair in pairs:
        if pair.method == "equal title":
            partners[pair.number, members[pair.origin].base] += 1
            partners[pair.origin, members[pair.number].base] += 1
    return [
        _doubted(pair, "several requests have this title")
        if pair.certain
        and max(
            partners[pair.number, members[pair.origin].base],
            partners[pair.origin, members[pair.number].base],
        )
        > 1
        else pair
        for pair in pairs
    ]


def _pair(late: Member, early: Member, method: str, doubt: str) -> Pair:
    certain = Pair(
        number=late.number,
        origin=early.number,
        kind=Kind.PORT,
        method=method,
        confidence=CONFIDENCE[method],
        certain=True,
        says=late.title,
    )
    return _doubted(certain, doubt) if doubt else certain


def _doubted(pair: Pair, doubt: str) -> Pair:
    return msgspec.structs.replace(
        pair, certain=False, doubt=doubt, confidence=round(pair.confidence / 2, 2)
    )


def _common(first: Sequence[str] | None, second: Sequence[str] | None) -> float | None:
    """Return the share of common paths, None where a list is not known or empty."""
    if not first or not second:
        return None
    return len({*first} & {*second}) / len({*first} | {*second})


def _age(member: Member) -> tuple[Instant, int]:
    return (member.opened_at, member.number)
