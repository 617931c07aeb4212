"""What sentences and link notes assert of the links in them: (link, state, date, branches).

A link's words are those in its own brackets, else in a note right behind it, else the nearest in
its clause: "is on dev (#1); the main port (#2) remains open". Words behind several links hold for
all of them, and "on main (#1) and dev (#2)" names a branch for each. A link never takes a state
from another clause.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from projections.roadmap_status.items.clauses import OPENERS, Clause, clauses
from projections.roadmap_status.reading import LinkSpan, Prose, Reference
from projections.roadmap_status.words.dates import StatedDate
from projections.roadmap_status.words.phrases import Phrase, Phrases, StatedRelease
from projections.roadmap_status.words.states import State

_ACTIVE: Final = re.compile(
    r"\b(?:restor(?:es|ing)|re-?\w+s|reverts|reverting)$|恢复$|回滚$|回退$", re.I
)
_BY: Final = re.compile(
    r"\s*+(?:(?:in|by|with|via|through|由|被|于)\b(?!\s++fav)[^,;:()（），；]{0,120}?)?\s*+[(（]?\s*+",
    re.I,
)
_BRANCH_LINK: Final = re.compile(r"^\s*+[)）]?\s*+(?:,|，|、|and|&|\+|和|及)+\s*+(?:on\s++)?", re.I)


class LinkClaim(msgspec.Struct, frozen=True, kw_only=True):
    """One assertion about the target of a link, or about the item itself."""

    link: Reference | None
    """None: the item ("was restored in #12")."""
    state: State
    text: str
    """The words that assert it."""
    date: StatedDate | None = None
    branches: tuple[str, ...] = ()
    release: StatedRelease | None = None
    by: Reference | None = None
    """The request that reverted or restored it."""


def link_claims(prose: Prose, phrases: Phrases) -> tuple[LinkClaim, ...]:
    """Return what the sentences of a text assert of its links, in order."""
    if not prose.links:
        return ()
    claims: list[LinkClaim] = []
    for clause in clauses(prose, phrases):
        claims += _of_clause(clause, phrases)
    claims += (
        LinkClaim(link=link.reference, state=State.DROPPED, text="struck through")
        for link in prose.links
        if link.struck
    )
    return tuple(dict.fromkeys(claims))


def _of_clause(clause: Clause, phrases: Phrases) -> Iterator[LinkClaim]:
    previous: tuple[LinkSpan, LinkClaim] | None = None
    for link in clause.links:
        phrase = _phrase_of(clause, link)
        if phrase is None:
            continue
        claim = _claim(clause, link, phrase)
        if claim is None:
            continue
        if previous and phrase.end <= previous[0].start and claim.branches:
            claim = _own_branch(clause, previous, link, claim, phrases)
        previous = (link, claim)
        yield claim
    yield from _acting(clause)


def _phrase_of(clause: Clause, link: LinkSpan) -> Phrase | None:
    group = clause.group_of(link.start)
    inside = [phrase for phrase in clause.phrases if clause.group_of(phrase.start) == group]
    if group:
        if inside:
            return _nearest(clause, link, inside)
        group = clause.group_of(group[0] - 1)
        inside = [phrase for phrase in clause.phrases if clause.group_of(phrase.start) == group]
    note = _note(clause, link)
    if note:
        noted = [phrase for phrase in clause.phrases if note[0] <= phrase.start < note[1]]
        noted = [phrase for phrase in noted if not _ACTIVE.search(phrase.text)]
        if noted:
            return noted[0]
    return _nearest(clause, link, inside)


def _note(clause: Clause, link: LinkSpan) -> tuple[int, int] | None:
    """Return the brackets right behind a link."""
    after = clause.prose.words[link.end : link.end + 3].lstrip()
    if not after or after[0] not in OPENERS:
        return None
    return next((group for group in clause.groups if 0 <= group[0] - link.end <= 2), None)


def _nearest(clause: Clause, link: LinkSpan, spotted: Sequence[Phrase]) -> Phrase | None:
    before = [phrase for phrase in spotted if phrase.end <= link.start]
    after = [phrase for phrase in spotted if phrase.start >= link.end]
    last, first = before[-1] if before else None, after[0] if after else None
    if last is None or first is None:
        return last or first
    if _blocked(clause, last.end, link.start) != _blocked(clause, link.end, first.start):
        return first if _blocked(clause, last.end, link.start) else last
    return last if link.start - last.end < first.start - link.end else first


def _blocked(clause: Clause, start: int, end: int) -> bool:
    """Tell whether another link stands between words and a link."""
    return any(start <= link.start < end for link in clause.links)


def _claim(clause: Clause, link: LinkSpan, phrase: Phrase) -> LinkClaim | None:
    actor = _actor(clause, phrase)
    # "Foundations merged in #12" says that #12 is merged, all of it.
    foundation = phrase.state is State.FOUNDATION_DELIVERED
    state, by = (State.DELIVERED if foundation else phrase.state), None
    if phrase.state in (State.REVERTED, State.RESTORED):
        if actor is link:
            # "restored in #12": #12 is there, and what it restores is in force again.
            state = State.DELIVERED
            if phrase.state is State.REVERTED or _ACTIVE.search(phrase.text):
                return None
        elif _ACTIVE.search(phrase.text) and link.start < phrase.start:
            return None
        else:
            by = actor.reference if actor else None
    return LinkClaim(
        link=link.reference,
        state=state,
        text=phrase.text,
        date=_date(clause, link, phrase),
        branches=phrase.branches,
        release=_release(clause, phrase),
        by=by,
    )


def _actor(clause: Clause, phrase: Phrase) -> LinkSpan | None:
    """Return the link that did what reverting or restoring words tell, if one is named."""
    if phrase.state not in (State.REVERTED, State.RESTORED):
        return None
    if _ACTIVE.search(phrase.text):
        return next((link for link in reversed(clause.links) if link.end <= phrase.start), None)
    following = next((link for link in clause.links if link.start >= phrase.end), None)
    if following and _BY.fullmatch(clause.prose.words[phrase.end : following.start]):
        return following
    return None


def _acting(clause: Clause) -> Iterator[LinkClaim]:
    """Yield what is said of the item itself: "was restored in #12 on October 10"."""
    for phrase in clause.phrases:
        if phrase.state not in (State.REVERTED, State.RESTORED) or _ACTIVE.search(phrase.text):
            continue
        actor = _actor(clause, phrase)
        if actor and not any(link.end <= phrase.start for link in clause.links):
            yield LinkClaim(
                link=None,
                state=phrase.state,
                text=phrase.text,
                date=_date(clause, actor, phrase),
                by=actor.reference,
            )


def _date(clause: Clause, link: LinkSpan, phrase: Phrase) -> StatedDate | None:
    if phrase.date is None:
        return None
    # "A (#1, merged May 1), B (#2)": a date in other brackets is another link's.
    group = clause.group_of(phrase.start)
    for start, _, stated in clause.dates:
        within = (group, clause.group_of(link.start))
        if start >= phrase.start and clause.group_of(start) in within:
            return stated
    return None


def _release(clause: Clause, phrase: Phrase) -> StatedRelease | None:
    for start, end, stated in clause.releases:
        if end > phrase.start and clause.group_of(start) == clause.group_of(phrase.start):
            return stated
    return None


def _own_branch(
    clause: Clause,
    previous: tuple[LinkSpan, LinkClaim],
    link: LinkSpan,
    claim: LinkClaim,
    phrases: Phrases,
) -> LinkClaim:
    between = clause.prose.shown[previous[0].end : link.start]
    match = _BRANCH_LINK.match(between)
    own = phrases.branch_names(between[match.end() :][:20]) if match else ()
    return replace(claim, branches=own[:1]) if own else claim
