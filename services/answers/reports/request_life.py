"""The life of one request on both clocks, with its evidence."""

from typing import Any

import msgspec

from events.errors import InvalidQuestion, NotFound
from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests import queries
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.observation import IssueSighting, Sighting
from projections.pull_requests.timeline import StateSpan, timeline
from projections.repositories.queries import find
from projections.store.snapshot import Snapshot
from services.answers.reports.wording import FLAGS, rfc3339


class RequestLife(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one number: now at (T, K), and every row that was ever known."""

    repo: RepositoryKey
    full_name: str
    number: int
    as_of: Instant
    known_at: Instant
    state: str
    """`open`, `closed`, `closed_unknown`, `merged`, `not yet opened`, or `issue`."""
    base: str | None
    attributes: queries.Attributes
    states: tuple[StateSpan, ...]
    bases: tuple[BaseSpan, ...]
    refused: tuple[str, ...]
    history: tuple[queries.KnownSpan, ...]
    seen: tuple[Sighting, ...]


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
    seen = queries.sightings_of(snapshot, name.repo, [number], k).get(number, [])
    if not seen:
        raise NotFound(f"nothing is recorded of #{number} in {name.full_name} as known then")
    states = queries.states_of(snapshot, name.repo, number, k)
    bases = queries.bases_of(snapshot, name.repo, [number], k).get(number, [])
    holding = [span for span in states if span.vf <= at < span.vt]
    return RequestLife(
        repo=name.repo,
        full_name=name.full_name,
        number=number,
        as_of=at,
        known_at=k,
        state=_state(holding, states, seen),
        base=next((span.base for span in bases if span.vf <= at < span.vt), None),
        attributes=queries.attributes(number, seen, at),
        states=tuple(states),
        bases=tuple(bases),
        refused=timeline(seen).refused,
        history=tuple(queries.known_history(snapshot, name.repo, number)),
        seen=tuple(seen),
    )


def _state(holding: list[StateSpan], states: list[StateSpan], seen: list[Sighting]) -> str:
    if holding:
        return holding[-1].state
    if not states:
        return "issue" if any(isinstance(each, IssueSighting) for each in seen) else "unknown"
    undated = [span for span in states if span.vf == INF]
    return f"{undated[-1].state}, undated" if undated else "not yet opened"


def as_document(life: RequestLife) -> dict[str, Any]:
    """Return the life as plain values for JSON; times are RFC 3339 in UTC."""
    shown = life.attributes
    return {
        "repository": {"name": life.full_name, "key": life.repo},
        "number": life.number,
        "as_of": rfc3339(life.as_of),
        "known_at": rfc3339(life.known_at),
        "state": life.state,
        "base": life.base,
        "title": shown.title,
        "author": shown.author,
        "draft": shown.draft,
        "labels": list(shown.labels),
        "recognised_by": shown.recognised_by,
        "refused": list(life.refused),
        "states": [_span(span) for span in life.states],
        "bases": [_span(span) for span in life.bases],
        "known_history": [
            {"known_from": rfc3339(row.kf), "known_until": rfc3339(row.kt), **_span(row.span)}
            for row in life.history
        ],
        "observations": [
            {
                "known_at": rfc3339(each.k),
                "at": rfc3339(each.fact.at),
                "kind": each.fact.kind,
                "source": each.source,
                "record": each.record_id,
            }
            for each in life.seen
        ],
    }


def _span(span: StateSpan | BaseSpan) -> dict[str, Any]:
    common = {"from": rfc3339(span.vf), "until": rfc3339(span.vt), "record": span.record_id}
    if isinstance(span, BaseSpan):
        return {"base": span.base, **common}
    return {
        "state": span.state,
        "enter": span.enter,
        **common,
        "evidence": span.evidence,
        "flags": list(span.flags),
    }


def as_text(life: RequestLife) -> str:
    """Write the life for a person."""
    shown = life.attributes
    base = f", base {life.base}" if life.base else ""
    author = f" — {shown.author}" if shown.author else ""
    lines = [
        f"{life.full_name} #{life.number}: {life.state}{base}",
        f"  {shown.title or '(title not recorded)'}{author}",
        f"  as of {rfc3339(life.as_of)}, known at {rfc3339(life.known_at)}",
        "",
        "What happened (valid time)",
        *(f"  {_moment(span)}" for span in life.states),
        *(f"  {rfc3339(held.vf) or 'no date':<21} base {held.base}" for held in life.bases),
        *(f"  not taken: {reason}" for reason in life.refused),
        "",
        "When it became known (known time)",
        *(f"  {_known(row)}" for row in life.history),
        "",
        f"Observations: {len(life.seen)}",
        *(f"  {_sight(each)}" for each in life.seen),
    ]
    return "\n".join(lines) + "\n"


def _moment(span: StateSpan) -> str:
    note = "".join(f"; {FLAGS[flag]}" for flag in span.flags if flag in FLAGS)
    when = rfc3339(span.vf) or "no date"
    return f"{when:<21} {span.enter:<15} {span.evidence}, record {span.record_id}{note}"


def _known(row: queries.KnownSpan) -> str:
    span = row.span
    what = f"base {span.base}" if isinstance(span, BaseSpan) else span.enter
    until = f", until {rfc3339(row.kt)}" if rfc3339(row.kt) else ""
    return f"{rfc3339(row.kf)}  {what} at {rfc3339(span.vf) or 'no date'}{until}"


def _sight(seen: Sighting) -> str:
    fact = seen.fact
    return f"{rfc3339(seen.k)}  {fact.kind} of {rfc3339(fact.at)} ({seen.source} {seen.record_id})"
