"""The life of one request on both clocks, with its evidence."""

from typing import Final

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests import queries
from projections.pull_requests.attributes import Attributes, attributes
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import IssueSighting, Sighting
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.timeline import timeline
from projections.release_inclusion.authors import with_commit_authors
from projections.release_inclusion.heads import RequestHead, request_head
from projections.repositories.queries import find
from projections.store.snapshot import Snapshot

#: The state of a request that only its own ref shows.
UNPROVEN: Final = "open or closed, unproven"


class RequestLife(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one number: now at (T, K), and every row that was ever known."""

    repo: RepositoryKey
    full_name: str
    number: int
    as_of: Instant
    known_at: Instant
    state: str
    """`open`, `closed`, `closed, landed by a commit`, `closed_unknown`, `merged`, `not yet opened`,
    `issue`, or UNPROVEN.
    """
    base: str | None
    attributes: Attributes
    states: tuple[StateSpan, ...]
    bases: tuple[BaseSpan, ...]
    refused: tuple[str, ...]
    history: tuple[queries.KnownSpan, ...]
    seen: tuple[Sighting, ...]
    head: RequestHead | None = None
    """What its own ref shows, where a clone that keeps heads of requests was read."""


def request_life(
    snapshot: Snapshot,
    full_name: str,
    number: int,
    as_of: Instant | None = None,
    known_at: Instant | None = None,
) -> RequestLife:
    """Return the life of a request; `as_of` is a point, inclusive.

    Raise NotFound for a number of which nothing is recorded.
    """
    if number < 1:
        raise InvalidQuestion(f"{number} is not a number of a pull request; write 6022")
    name = find(snapshot, full_name)
    watermark = snapshot.watermark(name.repo)
    k = watermark.known_at(known_at)
    at = max(watermark.caught_up_at, k) if known_at is None else k
    if as_of is not None:
        at = min(at, as_of)
    sightings = queries.sightings_of(snapshot, name.repo, [number], k).get(number, [])
    head = request_head(snapshot, name.repo, number, at, k)
    if not sightings and head is None:
        raise NotFound(f"nothing is recorded of #{number} in {name.full_name} as known then")
    states = queries.states_of(snapshot, name.repo, number, k)
    bases = queries.bases_of(snapshot, name.repo, [number], k).get(number, [])
    holding = [span for span in states if span.vf <= at < span.vt]
    shown = attributes(number, sightings, at)
    known = with_commit_authors(snapshot, name.repo, {number: shown}, k)
    return RequestLife(
        repo=name.repo,
        full_name=name.full_name,
        number=number,
        as_of=at,
        known_at=k,
        state=_state(holding, states, sightings) if sightings else UNPROVEN,
        base=next((span.base for span in bases if span.vf <= at < span.vt), None),
        attributes=_with_head(known[number], head),
        states=tuple(states),
        bases=tuple(bases),
        refused=timeline(sightings).refused,
        history=tuple(queries.known_history(snapshot, name.repo, number)),
        seen=tuple(sightings),
        head=head,
    )


def _with_head(shown: Attributes, head: RequestHead | None) -> Attributes:
    """Name the author of the head where nothing else shows whose request it is."""
    if shown.who is not None or head is None or head.commit is None:
        return shown
    return msgspec.structs.replace(shown, commit_author=head.commit.author or None)


def _state(holding: list[StateSpan], states: list[StateSpan], sightings: list[Sighting]) -> str:
    if holding:
        landed = holding[-1].enter == "landed"
        return "closed, landed by a commit" if landed else holding[-1].state
    if not states:
        return (
            "issue"
            if any(isinstance(sighting, IssueSighting) for sighting in sightings)
            else "unknown"
        )
    undated = [span for span in states if span.vf == INF]
    return f"{undated[-1].state}, undated" if undated else "not yet opened"
