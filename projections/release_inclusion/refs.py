"""What a ref pointed at, and when: a pure function of all that was seen of it.

A value is dated by the best proof of it: a push or a published release (whichever is earlier: both
prove that the ref stood there), the tagger's date, the time of the fetch that found it, or, at
first sight, an assumption. Order comes from valid time and from the links between values
(`before`), never from arrival.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from events.facts.git import RefObserved
from events.instant import INF, Instant

_RANKS: Final = {"pushed": 0, "published": 0, "tagger": 1, "fetched": 2, "assumed": 3}


class RefSighting(msgspec.Struct, frozen=True, kw_only=True):
    """One sight of a ref, with where it came from."""

    k: Instant
    idx: int
    record_id: str
    digest: str
    fact: RefObserved

    @property
    def order(self) -> tuple[Instant, int, str, str, int]:
        """A total order by valid time that no arrival can change."""
        return (self.fact.at, _RANKS[self.fact.evidence], self.digest, self.record_id, self.idx)


class RefSpan(msgspec.Struct, frozen=True, kw_only=True):
    """The ref pointed at `sha` from `vf` (inclusive) to `vt` (exclusive); None: there was none."""

    vf: Instant
    vt: Instant
    sha: str | None
    tag_object: str | None
    evidence: str
    record_id: str


def ref_spans(sightings: Sequence[RefSighting]) -> tuple[RefSpan, ...]:
    """Return the values of one ref, oldest first; before the first one nothing is known."""
    ordered = _in_order([sighting for sighting in sightings if not _overtaken(sighting, sightings)])
    values = [list(group) for _, group in groupby(ordered, key=lambda sighting: sighting.fact.sha)]
    proofs = [
        min(group, key=lambda sighting: sighting.order[1:2] + sighting.order) for group in values
    ]
    starts: list[Instant] = []
    for proof in proofs:
        starts.append(max(proof.fact.at, starts[-1] + 1 if starts else proof.fact.at))
    ends = [*starts[1:], INF][: len(starts)]
    return tuple(
        RefSpan(
            vf=start,
            vt=end,
            sha=proof.fact.sha,
            tag_object=proof.fact.tag_object,
            evidence=proof.fact.evidence,
            record_id=proof.record_id,
        )
        for proof, start, end in zip(proofs, starts, ends, strict=True)
    )


def _overtaken(sighting: RefSighting, sightings: Sequence[RefSighting]) -> bool:
    """Tell whether pushes say better when the ref had this value, or that it had another one."""
    fact = sighting.fact
    if fact.evidence == "pushed":
        return False
    pushes = sorted(
        (sighting for sighting in sightings if sighting.fact.evidence == "pushed"),
        key=lambda sighting: sighting.order,
    )
    to_it = [push.fact.at for push in pushes if push.fact.sha == fact.sha]
    earlier = [push for push in pushes if push.fact.at <= fact.at]
    if fact.evidence == "published":
        # A release tells when its tag was there, and not of which value: a later move is better.
        moved = bool(earlier) and earlier[-1].fact.sha != fact.sha
        return moved and any(at > fact.at for at in to_it)
    if fact.evidence == "assumed" and to_it:
        return True
    if fact.evidence == "tagger" and any(at >= fact.at for at in to_it):
        return True
    return _left(fact, pushes) or _passed_over(fact, pushes)


def _left(fact: RefObserved, pushes: Sequence[RefSighting]) -> bool:
    """Tell whether a fetch saw a value that a push had left by the fetch's own clock.

    Our clock and GitHub's differ, and a fetch takes time: what a push says of a move is better.
    """
    since = fact.not_before or 0
    left = [
        push.fact.at
        for push in pushes
        if push.fact.before == fact.sha
        and push.fact.sha != fact.sha
        and since < push.fact.at <= fact.at
    ]
    if not left:
        return False
    return not any(
        push.fact.sha == fact.sha and max(left) <= push.fact.at <= fact.at for push in pushes
    )


def _passed_over(fact: RefObserved, pushes: Sequence[RefSighting]) -> bool:
    """Tell whether the pushes around a fetch follow each other, with another value in between."""
    earlier = [push.fact for push in pushes if push.fact.at <= fact.at]
    later = [push.fact for push in pushes if push.fact.at > fact.at]
    if not later or fact.ref.startswith("refs/tags/"):  # pushes of tags have no links
        return False
    values = {push.sha for push in earlier if push.at == earlier[-1].at} if earlier else {None}
    return fact.sha not in values and later[0].before in values


def _in_order(sightings: Sequence[RefSighting]) -> list[RefSighting]:
    """Sort by valid time; moves of one moment follow each other by their links."""
    ordered: list[RefSighting] = []
    ranked = sorted(sightings, key=lambda sighting: sighting.order)
    for _, tied in groupby(ranked, key=lambda sighting: sighting.fact.at):
        left = list(tied)
        value = ordered[-1].fact.sha if ordered else None
        while left:
            # a sight of the value itself, then the move that begins at it, then whatever is next
            following = next(
                (sighting for sighting in left if sighting.fact.sha == value and ordered),
                next((sighting for sighting in left if sighting.fact.before == value), left[0]),
            )
            left.remove(following)
            ordered.append(following)
            value = following.fact.sha
    return ordered


class RefFold:
    """The values of one ref while sightings come in, most of them newer than all before.

    A newer push only adds a value, and a fetch that finds what a push said adds nothing; both are
    seen without folding the whole history again. Whatever else comes is folded with everything.
    """

    def __init__(self, sightings: Iterable[RefSighting], spans: Iterable[RefSpan]) -> None:
        self._sightings = list(sightings)
        self._spans = sorted(spans, key=lambda span: span.vf)
        self._newest = max((sighting.fact.at for sighting in self._sightings), default=0)
        self._unpushed = {s.fact.sha for s in self._sightings if s.fact.evidence != "pushed"}
        self._consistent = self._is_consistent()

    def add(self, sightings: Sequence[RefSighting]) -> tuple[set[RefSpan], set[RefSpan]]:
        """Take sightings of one moment of knowing; return (spans that end, spans that begin)."""
        step = self._newer(sightings[0]) if len(sightings) == 1 else None
        self._sightings += sightings
        for sighting in sightings:
            self._newest = max(self._newest, sighting.fact.at)
            if sighting.fact.evidence != "pushed":
                self._unpushed.add(sighting.fact.sha)
        if step is None:
            before = set(self._spans)
            self._spans = list(ref_spans(self._sightings))
            self._consistent = self._is_consistent()
            return before.difference(self._spans), set(self._spans) - before
        ending, beginning = step
        if beginning:
            self._spans[-1:] = beginning
        return set(ending), set(beginning)

    def _newer(self, sighting: RefSighting) -> tuple[list[RefSpan], list[RefSpan]] | None:
        """Return what a sighting newer than all others changes; None where it is not so plain."""
        fact = sighting.fact
        if not self._spans or not self._consistent or fact.at <= self._newest:
            return None
        last = self._spans[-1]
        if fact.sha == last.sha:
            return ([], []) if fact.evidence == "fetched" else None
        if fact.evidence != "pushed" or fact.sha in self._unpushed or fact.at <= last.vf:
            return None
        ended = msgspec.structs.replace(last, vt=fact.at)
        begun = RefSpan(
            vf=fact.at,
            vt=INF,
            sha=fact.sha,
            tag_object=fact.tag_object,
            evidence=fact.evidence,
            record_id=sighting.record_id,
        )
        return [last], [ended, begun]

    def _is_consistent(self) -> bool:
        """Tell whether the last value rests on a push and nothing newer found another one."""
        if not self._spans or self._spans[-1].evidence != "pushed":
            return False
        last = self._spans[-1]
        return all(
            sighting.fact.sha == last.sha
            for sighting in self._sightings
            if sighting.fact.at >= last.vf and sighting.fact.evidence != "pushed"
        )
