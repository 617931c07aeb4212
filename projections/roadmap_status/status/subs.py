"""The issues that GitHub lists as parts of other issues, each once. Pure."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from events.instant import Instant
from projections.roadmap_status.reading import Reference
from projections.roadmap_status.status.facts import UNKNOWN, LinkState, NumberFacts

Key = tuple[str, int]


class SubIssue(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an issue, with what is known of it."""

    reference: Reference
    parent: int
    """The issue that lists it; of several the first."""
    title: str
    state: LinkState


def sub_issues(
    roots: Iterable[int],
    parts: Mapping[int, Sequence[Reference]],
    facts: Mapping[int, NumberFacts],
    moment: Instant,
    named: Iterable[Key] = (),
) -> tuple[SubIssue, ...]:
    """Return the parts of some issues at any depth, parents before their own parts.

    The roots themselves, and what is `named` beside them, are no parts of it; cycles end.
    """
    roots = list(dict.fromkeys(roots))
    visited: set[Key] = {*named, *(("", root) for root in roots)}
    waiting = [(root, part) for root in reversed(roots) for part in reversed(parts.get(root, ()))]
    listed: list[SubIssue] = []
    looked_into = set(roots)
    while waiting:
        parent, reference = waiting.pop()
        here = reference.repository is None
        if reference.key not in visited:
            visited.add(reference.key)
            listed.append(_sub_issue(parent, reference, facts if here else {}, moment))
        if here and reference.number not in looked_into:
            looked_into.add(reference.number)
            below = reversed(parts.get(reference.number, ()))
            waiting += ((reference.number, part) for part in below)
    return tuple(listed)


def _sub_issue(
    parent: int, reference: Reference, facts: Mapping[int, NumberFacts], moment: Instant
) -> SubIssue:
    known = facts.get(reference.number)
    return SubIssue(
        reference=reference,
        parent=parent,
        title=known.title if known is not None else "",
        state=known.at(moment) if known is not None else UNKNOWN,
    )
