"""Carrying an attribution on over what was recorded since, where none of it bears on a commit.

Most of what is recorded about requests names no commit and is named by none: a request is opened,
labelled, closed. The attribution is then the same but for that request; it need not be made anew.
"""

from dataclasses import replace
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Table, select

from events.facts.base import Trust
from events.instant import Instant
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.inputs import ALWAYS, Inputs
from projections.release_inclusion.queries import (
    HEADS,
    TAGS,
    RefValue,
    pull_heads,
    pull_of,
    refs_named,
)
from projections.release_inclusion.requests import requests_at, with_heads
from projections.release_inclusion.tables import ReleaseTables
from projections.release_inclusion.tips import last_held
from projections.store.snapshot import Snapshot

_MOST: Final = 300
"""Requests and refs that are looked at one by one; after more the history is read anew."""


def may_advance(old: Inputs, inputs: Inputs) -> bool:
    """Tell whether nothing but sights of refs and requests was recorded since."""
    since = msgspec.structs.replace(old, last=inputs.last)
    commits, sightings, decisions, observations, patches = range(5)
    same = all(old.last[place] == inputs.last[place] for place in (commits, decisions, patches))
    later = all(old.last[place] <= inputs.last[place] for place in (sightings, observations))
    return since == inputs and same and later


def advanced(
    snapshot: Snapshot, old: Inputs, attribution: Attribution, inputs: Inputs, known_at: Instant
) -> Attribution | None:
    """Return the attribution of `inputs`, given that of `old` ones; None where it has to be made.

    It is equal to what would be made.
    """
    if not may_advance(old, inputs):
        return None
    numbers = _sighted_requests(snapshot, old, inputs)
    refs = _sighted_refs(snapshot, old, inputs)
    if len(numbers) > _MOST or len(refs) > _MOST:
        return None
    values = refs_named(snapshot, inputs.repo, refs, ALWAYS, known_at)
    if not _refs_stay(snapshot, inputs, attribution, refs, values, known_at):
        return None
    numbers |= {number for ref in refs if (number := pull_of(ref)) is not None}
    if not numbers:
        return attribution
    known, issues = requests_at(snapshot, inputs.repo, ALWAYS, known_at, numbers)
    heads = refs_named(
        snapshot, inputs.repo, [f"refs/pull/{n}/head" for n in numbers], ALWAYS, known_at
    )
    fresh = {request.number: request for request in with_heads(known, pull_heads(heads))}
    changed = {n: r for n, r in fresh.items() if attribution.requests.get(n) != r}
    gone = [n for n in numbers - fresh.keys() if n in attribution.requests]
    bearing = [n for n, request in changed.items() if _bears(attribution, request)]
    if gone or bearing or issues & attribution.named:
        return None
    requests = dict(sorted({**attribution.requests, **changed}.items()))
    return replace(attribution, requests=requests)


def _sighted_requests(snapshot: Snapshot, old: Inputs, inputs: Inputs) -> set[int]:
    table = snapshot.tables(PullRequestTables).observations
    told = table.c.is_issue | (table.c.trust >= Trust.ARCHIVE_FULL)
    query = select(table.c.number).where(told, *_between(table, old, inputs, place=3))
    return set(snapshot.connection.scalars(query.distinct().limit(_MOST + 1)))


def _sighted_refs(snapshot: Snapshot, old: Inputs, inputs: Inputs) -> set[str]:
    table = snapshot.tables(ReleaseTables).sightings
    query = select(table.c.ref).where(*_between(table, old, inputs, place=1))
    return set(snapshot.connection.scalars(query.distinct().limit(_MOST + 1)))


def _between(
    table: Table, old: Inputs, inputs: Inputs, *, place: int
) -> tuple[ColumnElement[bool], ...]:
    since, until = old.last[place], inputs.last[place]
    return (table.c.repo == inputs.repo, table.c.k > since, table.c.k <= until)


def _refs_stay(
    snapshot: Snapshot,
    inputs: Inputs,
    attribution: Attribution,
    refs: set[str],
    values: dict[str, RefValue],
    known_at: Instant,
) -> bool:
    """Tell whether tags and long-lived branches stand where they stood, as far as is recorded."""
    graph = attribution.graph
    unseen = [value for value in values.values() if value.sha not in graph]
    behind = last_held(snapshot, inputs.repo, unseen, ALWAYS, known_at)
    for ref in refs:
        value = values.get(ref)
        if ref.startswith(TAGS):
            if value is None or value.sha in graph:
                return False
        elif ref.startswith(HEADS) and inputs.roles.role(ref.removeprefix(HEADS)):
            held = behind.get(ref, value)
            stood = attribution.branches.get(ref.removeprefix(HEADS))
            if held is None or (held.sha if held.sha in graph else None) != stood:
                return False
    return True


def _bears(attribution: Attribution, request: Request) -> bool:
    """Tell whether what is known of a request may say what a commit carries."""
    graph, old = attribution.graph, attribution.requests.get(request.number)
    if request.number in attribution.named or attribution.carriers.of(request.number):
        return True
    if request.merge_commit is not None and request.merge_commit in graph:
        return True
    heads = {request.head, old.head if old else None} - {None}
    stays = old is not None and old.head == request.head and old.state == request.state
    return not stays and any(head in graph for head in heads)
