"""What an item claims about itself: by its words, its marks and its box, each kept.

Words go before marks, and marks before the box: words are what an author edits last and says most
exactly. Where they disagree about done or not done, the claim says so. Without any of them the
claim is *none*, which is not "in progress".
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from projections.roadmap_status.items.heads import Head
from projections.roadmap_status.reading import Box, Entry, Prose
from projections.roadmap_status.reading.tables import STATUS_COLUMN
from projections.roadmap_status.words.dates import StatedDate
from projections.roadmap_status.words.phrases import Phrase, Phrases, StatedRelease, find_releases
from projections.roadmap_status.words.states import State

_UNSAID: Final = (State.NONE, State.CLOSED)
_INSTEAD: Final = re.compile(
    r"[\W_]*(?:(?:superseded|replaced|obsoleted|covered)\s+by|(?:moved|postponed|deferred|pushed)"
    r"\s+to|(?:merged|folded)\s+into|in\s+fav(?:o|ou)r\s+of|duplicate\s+of|instead|see\b|no\s+longer"
    r"|not\s+needed|out\s+of\s+scope|won['’]?t|改为|已?由|移至|不再)",
    re.IGNORECASE,
)
"""How what follows a struck title begins, where it tells what became of the item."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What an item says of itself; `state` is what holds, the rest is its evidence."""

    state: State = State.NONE
    words: State = State.NONE
    marks: State = State.NONE
    box: Box | None = None
    struck: bool = False
    branches: tuple[str, ...] = ()
    """As said, in order; empty where no branch is said."""
    releases: tuple[StatedRelease, ...] = ()
    date: StatedDate | None = None
    text: str = ""
    """The words and marks that were read."""

    @property
    def contradicts_itself(self) -> bool:
        """Tell whether box, marks and words disagree about done or not done."""
        states = [self.words, self.marks]
        if self.box in (Box.OPEN, Box.TICKED):
            states.append(_of_box(self.box))
        done = any(state.done for state in states)
        return done and any(state.unfinished or state is State.DROPPED for state in states)


def claim_of(
    head: Head,
    entry_box: Box | None,
    prose: Prose,
    more: Iterable[Phrase] = (),
    releases: Sequence[StatedRelease] = (),
) -> Claim:
    """Return what a head says, with phrases from lines or columns named for a status."""
    spoken = [*more, *head.phrases]
    words = _together([phrase.state for phrase in spoken])
    marks = _together([mark.state for mark in head.marks])
    struck = _struck(prose, head)
    texts = [phrase.text for phrase in spoken] + [mark.mark for mark in head.marks]
    branches = [branch for phrase in spoken for branch in phrase.branches]
    return Claim(
        state=_decided(words, marks, entry_box, struck=struck),
        words=words,
        marks=marks,
        box=entry_box,
        struck=struck,
        branches=tuple(dict.fromkeys(branches)),
        releases=tuple(dict.fromkeys(releases)),
        date=next((phrase.date for phrase in spoken if phrase.date), None),
        text=", ".join(texts),
    )


def column_phrases(entry: Entry, phrases: Phrases) -> tuple[Phrase, ...]:
    """Return what the status columns of a row say; marks and written boxes count as words."""
    phrases_found: list[Phrase] = []
    for header, cell in entry.cells:
        if not STATUS_COLUMN.fullmatch(header):
            continue
        phrases_found += phrases.find(cell.words, cell.shown)
        for mark in phrases.marks.find(cell.words):
            phrases_found.append(
                Phrase(start=mark.start, end=mark.end, state=mark.state, text=mark.mark)
            )
        written = _WRITTEN_BOXES.get(cell.words.strip().lower())
        if written is not None:
            text = cell.words.strip()
            phrases_found.append(Phrase(start=0, end=len(text), state=written, text=text))
    return tuple(phrases_found)


def stated_releases(text: str) -> tuple[StatedRelease, ...]:
    """Return the releases that a text names for its item."""
    return tuple(dict.fromkeys(release for _, _, release in find_releases(text)))


_WRITTEN_BOXES: Final = {"[x]": State.DELIVERED, "[ ]": State.NOT_DONE, "[]": State.NOT_DONE}


def _of_box(box: Box | None) -> State:
    if box is Box.TICKED:
        return State.DELIVERED
    return State.NOT_DONE if box is Box.OPEN else State.NONE


def _decided(words: State, marks: State, box: Box | None, *, struck: bool) -> State:
    asserted = [state for state in (words, marks, _of_box(box)) if state is not State.NONE]
    if struck and not (words is not State.NONE and words.done):
        return State.DROPPED
    if not asserted:
        return State.NONE
    # "closed" alone does not say whether done; a mark or a box does.
    return next((state for state in asserted if state not in _UNSAID), asserted[0])


def _together(states: Sequence[State]) -> State:
    """Return the one state that several words of one status make."""
    asserted = [state for state in dict.fromkeys(states) if state is not State.NONE]
    if len(asserted) > 1:
        asserted = [state for state in asserted if state is not State.CLOSED] or asserted
    if any(state.done for state in asserted) and any(state.unfinished for state in asserted):
        foundation = State.FOUNDATION_DELIVERED in asserted
        return State.FOUNDATION_DELIVERED if foundation else State.PARTLY_DELIVERED
    return asserted[-1] if asserted else State.NONE


def _struck(prose: Prose, head: Head) -> bool:
    """Tell whether all of the title is struck through; a link beside it, and what is said to come
    in its place, are not.
    """
    start, end = head.title
    if not any(_says(prose.shown[max(start, s) : min(end, e)]) for s, e in prose.struck):
        return False
    left = list(prose.shown[:end])
    for span in (*prose.struck, *((link.start, link.end) for link in prose.links)):
        until = min(span[1], end)
        left[span[0] : until] = " " * max(0, until - span[0])
    rest = "".join(left[start:])
    return not _says(rest) or bool(_INSTEAD.match(rest))


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)
