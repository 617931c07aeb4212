"""What is worth a look and is no drift: nothing in it is known to be wrong. Pure."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import msgspec

from projections.roadmap_status.drift.release_holds import ReleaseHolds
from projections.roadmap_status.items.titles import Series
from projections.roadmap_status.status.facts import Outcome
from projections.roadmap_status.status.judging import JudgedItem
from projections.roadmap_status.status.parts import Part
from projections.roadmap_status.status.status import Basis, StatusKind
from projections.roadmap_status.words.states import State

_OPEN_END: Final = re.compile(r"\d\s*(?:/|\bof\b)\s*[Nn?]\b")


class HintKind(StrEnum):
    """One reason to look."""

    ALL_MERGED = "all that is linked is merged, though it is said to be in progress"
    SERIES_INCOMPLETE = "a series has parts that are not linked, or are not merged"
    WITHOUT_LINK = "asserted without any link"
    UNPROVEN = "cannot be checked: nothing is known of some links"
    UNRESOLVED = "a linked issue was deleted, or transferred to where nothing is recorded"
    SCATTERED = "delivered, and no branch has all of it"
    CONTRADICTS_ITSELF = "box, mark and words disagree"
    MALFORMED_BOX = "a box that is none for GitHub"
    UNKNOWN_RELEASE = "names a release that is not known"


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """One hint, with the links or names that it is about."""

    kind: HintKind
    about: tuple[str, ...] = ()


def hints(judged: JudgedItem, releases: ReleaseHolds) -> Iterator[Hint]:
    """Yield what is worth a look in an item."""
    item, status = judged.match.item, judged.status
    if status.kind is StatusKind.FOUNDATION and item.claim.state is State.IN_PROGRESS:
        yield Hint(kind=HintKind.ALL_MERGED, about=status.because)
    lacking = tuple(_series(judged))
    if lacking:
        yield Hint(kind=HintKind.SERIES_INCOMPLETE, about=lacking)
    silent = status.basis is Basis.NOTHING and status.kind is StatusKind.UNKNOWN
    if silent and item.claim.state is not State.NONE:
        yield Hint(kind=HintKind.WITHOUT_LINK)
    unknown = [p.name for p in judged.counted if not p.state.outcome.is_proven]
    if unknown and item.claim.state is not State.NONE:
        yield Hint(kind=HintKind.UNPROVEN, about=tuple(unknown))
    gone = [part.name for part in judged.parts if part.state.outcome is Outcome.UNRESOLVED]
    if gone:
        yield Hint(kind=HintKind.UNRESOLVED, about=tuple(gone))
    if status.scattered:
        yield Hint(kind=HintKind.SCATTERED, about=status.branches)
    if item.claim.contradicts_itself:
        yield Hint(kind=HintKind.CONTRADICTS_ITSELF)
    if item.malformed:
        yield Hint(kind=HintKind.MALFORMED_BOX)
    names = [release.name for release in item.claim.releases if not release.target]
    missing = tuple(name for name in names if releases.all and releases.find(name) is None)
    if missing:
        yield Hint(kind=HintKind.UNKNOWN_RELEASE, about=missing)


def _series(judged: JudgedItem) -> Iterator[str]:
    """Yield the parts of series that are not linked or not merged, where some are."""
    marked = [(series, part) for part in judged.counted if (series := _mark(part)) is not None]
    totals = {series.total for series, _ in marked}
    merged = {s.part for s, part in marked if part.state.outcome is Outcome.MERGED}
    if not merged:
        return
    for total in sorted(total for total in totals if total is not None):
        of_total = {s.part for s, _ in marked if s.total == total}
        for number in range(1, min(total, 99) + 1):
            if number not in merged and (number not in of_total or of_total & merged):
                yield f"{number}/{total}"
    open_end = [p for _, p in marked if _OPEN_END.search(f"{p.title} {p.link.title}")]
    if totals == {None} and open_end:
        yield f"{max(merged)}/N"


def _mark(part: Part) -> Series | None:
    return part.series if part.counts else None
