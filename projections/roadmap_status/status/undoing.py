"""Parts that other parts took back: by the words of the item, or by their own titles. Pure.

Git history knows most reverts by itself; this is for those that no commit tells, and for
repositories of which no history is recorded. Words alone undo nothing: the request that is said to
have done it must be merged. Where nothing is known of that one, nothing is certain.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from projections.roadmap_status.items.item import Item
from projections.roadmap_status.items.links import LinkRole
from projections.roadmap_status.status.facts import UNKNOWN, LinkState, Outcome
from projections.roadmap_status.status.parts import Part, bare_title

_REVERTS: Final = re.compile(r"(?:\[[^\[\]]{0,40}\]\s*)*revert:?\s+[\"“](?P<title>.+)[\"”]", re.I)


def without_undone(item: Item, parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return parts with the state that reverts beside them leave; what undoes is a mention."""
    parts_now = list(parts)
    for at, targets in _acts(item, parts):
        acting = parts_now[at]
        for place in targets:
            parts_now[place] = _after(parts_now[place], acting)
        if acting.decided is None:
            parts_now[at] = replace(acting, role=LinkRole.MENTION)
    return tuple(parts_now)


def _acts(item: Item, parts: Sequence[Part]) -> list[tuple[int, list[int]]]:
    """Return (part that undoes, parts that it undoes), the latest first: a revert of a revert
    leaves the earlier one without effect.
    """
    acts = [*_told(item, parts), *_titled(parts)]
    return sorted(acts, key=lambda act: (-(parts[act[0]].state.since or 0), act))


def _told(item: Item, parts: Sequence[Part]) -> Iterator[tuple[int, list[int]]]:
    places = {part.link.reference.key: at for at, part in enumerate(parts)}
    restored = {
        undone.target.key if undone.target is not None else None
        for undone in item.undone
        if undone.restored and _outcome(parts, places.get(undone.by.key)) is Outcome.MERGED
    }
    acting = {undone.by.key for undone in item.undone}
    for undone in item.undone:
        by, target = places.get(undone.by.key), undone.target
        if undone.restored or by is None:
            continue
        if None in restored or (target is not None and target.key in restored):
            yield by, []
        elif target is not None:
            yield by, [places[target.key]] if target.key in places else []
        else:
            yield by, [at for key, at in places.items() if key not in acting]


def _titled(parts: Sequence[Part]) -> Iterator[tuple[int, list[int]]]:
    for at, part in enumerate(parts):
        match = _REVERTS.match(part.title)
        if match is None:
            continue
        title = bare_title(match["title"])
        named = {f"#{part.link.reference.number}" for part in parts} & set(
            re.findall(r"#[0-9]+", part.title)
        )
        targets = [
            place
            for place, other in enumerate(parts)
            if place != at
            and (bare_title(other.title) == title or f"#{other.link.reference.number}" in named)
        ]
        if targets:
            yield at, targets


def _outcome(parts: Sequence[Part], at: int | None) -> Outcome | None:
    return None if at is None else parts[at].state.outcome


def _after(part: Part, by: Part) -> Part:
    if part.state.outcome is not Outcome.MERGED:
        return part
    if by.state.outcome is Outcome.UNKNOWN:
        return replace(part, state=replace(UNKNOWN, landings=part.state.landings))
    if by.state.outcome is not Outcome.MERGED:
        return part
    return replace(part, state=_taken_out(part.state, by.state))


def _taken_out(state: LinkState, by: LinkState) -> LinkState:
    """Return a state without the branches on which the revert came after it."""
    reverted_at = {landing.branch: landing.at for landing in by.landings}
    kept = tuple(
        landing
        for landing in state.landings
        if landing.branch not in reverted_at or landing.at > reverted_at[landing.branch]
    )
    if kept and reverted_at:
        branches = tuple(landing.branch for landing in kept)
        return replace(state, branches=branches, landings=kept)
    if (by.since or 0) < (state.since or 0):
        return state
    return LinkState(
        outcome=Outcome.REVERTED,
        since=by.since,
        record_id=by.record_id,
        landings=state.landings,
    )
