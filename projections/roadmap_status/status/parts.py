"""The parts of an item: its links with what the facts say of each, and which of them count. Pure.

What implements an item counts, each number once. A link that facts show to be an issue tracks, a
person's decision goes before the text, and of a change that was reverted and brought back under
another number only the latter counts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace
from rapidfuzz import fuzz

from events.facts.roadmap import RoadmapItemDecided
from events.instant import Instant
from projections.roadmap_status.items.item import Item
from projections.roadmap_status.items.links import Link, LinkKind, LinkRole
from projections.roadmap_status.items.titles import Series, series_of
from projections.roadmap_status.status.facts import UNKNOWN, LinkState, NumberFacts, Outcome
from projections.roadmap_status.words.states import State

_RESTORES: Final = re.compile(
    r"\b(?:re-?add|re-?appl(?:y|ies)|re-?land|re-?introduc|restor|reinstat|replay)", re.IGNORECASE
)
_ORNAMENTS: Final = re.compile(
    r"\[[^\[\]]*\]|\(#?\d+\)|#\d+|^\s*+\w+(?:\([^)]*\))?!?:", re.IGNORECASE
)
_QUESTION: Final = re.compile(
    r"\s*+(?:[\[【(（]\s*+(?:question|q\s*+&\s*+a|help(?:\s+wanted)?|usage|discussion|提问|咨询|疑问|讨论)"
    r"\s*+[\]】)）]|(?:question|q\s*+&\s*+a|提问)\s*+[:：])",
    re.IGNORECASE,
)
"""How the title of an issue begins that asks something: it does no work, and tracks none."""
_ALIKE: Final = 60.0
"""Of 100: titles of a change and of what brings it back are at least so similar."""

_DEEPEST: Final = 8
"""So many tags may stand around each other, or before each other at the start."""

_SAME: Final = 95.0
"""Of 100: titles of one change under two numbers."""

_TELLING: Final = 12
"""Characters that a title must have to tell which change it is."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A link of an item, in the role that it has, with its state at the moment asked about."""

    link: Link
    role: LinkRole
    state: LinkState
    title: str = ""
    base: str = ""
    """The branch that the request asks to change, where that is known."""
    decided: RoadmapItemDecided | None = None
    """The decision that gave it its role."""

    @property
    def name(self) -> str:
        """The link as GitHub shows it."""
        return str(self.link.reference)

    @property
    def series(self) -> Series | None:
        """Its place in a series, as the text or its own title says."""
        return self.link.series or series_of(self.title)

    @property
    def counts(self) -> bool:
        """Tell whether the item's status rests on it."""
        return self.role is LinkRole.IMPLEMENTING and not self.link.struck


def parts_of(
    item: Item,
    facts: Mapping[int, NumberFacts],
    moment: Instant,
    decisions: Iterable[RoadmapItemDecided] = (),
) -> tuple[Part, ...]:
    """Return the parts of an item, in the order of its links."""
    decided = {decision.link: decision for decision in decisions if decision.link is not None}
    return tuple(
        _part(link, facts, moment, decided.get(str(link.reference))) for link in item.links
    )


def _part(
    link: Link,
    facts: Mapping[int, NumberFacts],
    moment: Instant,
    decided: RoadmapItemDecided | None,
) -> Part:
    known = facts.get(link.reference.number) if link.reference.repository is None else None
    state = UNKNOWN if known is None else known.at(moment)
    role = link.role
    title = (known.title if known is not None else "") or link.title
    if decided is not None and decided.role is not None:
        role = LinkRole(decided.role)
    elif known is not None and known.is_request:
        # GitHub answers the address of an issue with the request of that number.
        role = link.as_request or role
    elif _QUESTION.match(link.title) or _QUESTION.match(title) or (known and known.asks):
        role = LinkRole.MENTION
    elif role is LinkRole.IMPLEMENTING and known is not None and known.is_issue:
        role = LinkRole.TRACKING
    base = known.base if known is not None else ""
    return Part(
        link=_of_kind(link, known), role=role, state=state, title=title, base=base, decided=decided
    )


def _of_kind(link: Link, known: NumberFacts | None) -> Link:
    """Return a link with the kind that facts show, where its form says otherwise."""
    if known is None or link.kind not in (LinkKind.ISSUE, LinkKind.PULL_REQUEST):
        return link
    if known.is_request:
        return replace(link, kind=LinkKind.PULL_REQUEST)
    return replace(link, kind=LinkKind.ISSUE) if known.is_issue else link


def counting(item: Item, parts: Sequence[Part]) -> list[Part]:
    """Return the parts that an item's status rests on, without what was brought back otherwise."""
    own = [part for part in parts if part.counts]
    return [part for part in own if not _brought_back(item, part, parts)]


def _brought_back(item: Item, part: Part, parts: Sequence[Part]) -> bool:
    doubted = part.state.outcome is Outcome.UNKNOWN and part.state.landings
    if part.state.outcome is not Outcome.REVERTED and not doubted:
        return False
    keys = [
        claim.by.key if claim.by is not None else None
        for claim in item.link_claims
        if claim.state is State.RESTORED and claim.link == part.link.reference
    ]
    for other in parts:
        if other is part or other.state.outcome is not Outcome.MERGED:
            continue
        if (other.state.since or 0) < (part.state.since or 0):
            continue
        if other.link.reference.key in keys or (keys and None in keys) or _restores(other, part):
            return True
    return False


def _restores(other: Part, part: Part) -> bool:
    if not _RESTORES.search(other.title):
        return False
    if re.search(rf"#{part.link.reference.number}\b", other.title):
        return True
    return fuzz.token_set_ratio(bare_title(other.title), bare_title(part.title)) >= _ALIKE


def groups(parts: Iterable[Part]) -> list[tuple[Part, ...]]:
    """Put one change under several numbers ("[Dev] X" and "X") together; each number once."""
    by_change: list[list[Part]] = []
    placed: set[tuple[str, int]] = set()
    for part in parts:
        if part.link.reference.key in placed:
            continue
        placed.add(part.link.reference.key)
        home = next((group for group in by_change if _twins(group[0], part)), None)
        if home is None:
            by_change.append([part])
        else:
            home.append(part)
    return [tuple(group) for group in by_change]


def _twins(part: Part, other: Part) -> bool:
    # equal titles on one branch are two changes: the same thing was done twice
    if part.series != other.series or (part.base == other.base and part.base):
        return False
    titles = (bare_title(part.title), bare_title(other.title))
    return min(map(len, titles)) >= _TELLING and fuzz.ratio(*titles) >= _SAME


def bare_title(title: str) -> str:
    """Return what is left of a title without its ornaments, in lower case."""
    for _ in range(_DEEPEST):
        title, taken = _ORNAMENTS.subn(" ", title.strip())
        if not taken:
            break
    return " ".join(title.casefold().split())


def tracked(parts: Iterable[Part]) -> list[Part]:
    """Return the issues that track an item; nested roadmaps are no issues of it."""
    return [
        part
        for part in parts
        if part.role is LinkRole.TRACKING
        and part.state.outcome.of_issue
        and part.link.kind is not LinkKind.ROADMAP
    ]
