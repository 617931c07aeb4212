"""The facts of linked numbers at one (T, K): here this projection meets the others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import select

from events.facts.issue import IssueObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.pull_requests import store
from projections.pull_requests.attributes import attributes_of
from projections.pull_requests.bases import BaseSpan
from projections.pull_requests.queries import bases_of
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.tables import PullRequestTables
from projections.release_inclusion.queries import KnownCommit, commits_named
from projections.release_inclusion.view import ReleaseView
from projections.roadmap_status.queries import sightings_of
from projections.roadmap_status.status.facts import Landing, NumberFacts
from projections.roadmap_status.status.presence import Entry, entries_of
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot

_QUESTION: Final = "question"
"""The label that GitHub gives every new repository for issues that ask."""


def gather(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    as_of: Instant,
    known_at: Instant,
    view: ReleaseView | None,
) -> dict[int, NumberFacts]:
    """Return what is known of numbers; `view` is None where no commits are recorded.

    A number of which nothing is known is there all the same, and says so.
    """
    wanted = sorted(set(numbers))
    states = _states_of(snapshot, repo, wanted, known_at)
    bases = bases_of(snapshot, repo, wanted, known_at)
    attributes_by_number = attributes_of(snapshot, repo, wanted, as_of, known_at)
    issues = sightings_of(snapshot, repo, wanted, known_at)
    landings = _landings(snapshot, repo, wanted, (as_of, known_at), view, states)
    facts = {}
    for number in wanted:
        spans = states.get(number, ())
        attributes = attributes_by_number.get(number)
        shown = [s.fact for s in sorted(issues.get(number, ()), key=lambda s: s.order)]
        shown = [fact for fact in shown if fact.at <= as_of]
        facts[number] = NumberFacts(
            number=number,
            title=(attributes.title if attributes else None) or _last_title(shown),
            states=spans,
            base=_base_at_merge(spans, bases.get(number, ())),
            draft=bool(attributes and attributes.draft),
            landings=landings.get(number, ()),
            doubted=_doubted(view, number),
            traced=view is None or bool(view.history.carriers.of(number)),
            asks=bool(shown) and _QUESTION in (label.casefold() for label in shown[-1].labels),
            issue=tuple(issues.get(number, ())),
        )
    return facts


def _last_title(shown: Sequence[IssueObserved]) -> str:
    return next((fact.title for fact in reversed(shown) if fact.title), "")


def _states_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Sequence[int], known_at: Instant
) -> dict[int, tuple[StateSpan, ...]]:
    table = snapshot.tables(PullRequestTables).states
    states: dict[int, list[StateSpan]] = {}
    for chunk in chunks(numbers):
        query = select(table).where(
            table.c.repo == repo,
            table.c.number.in_(chunk),
            table.c.kf <= known_at,
            table.c.kt > known_at,
        )
        for row in snapshot.connection.execute(query).mappings():
            states.setdefault(row["number"], []).append(store.read_state(row))
    return {
        number: tuple(sorted(spans, key=lambda span: (span.vf, span.vt)))
        for number, spans in states.items()
    }


def _base_at_merge(spans: Sequence[StateSpan], bases: Sequence[BaseSpan]) -> str:
    merged = [span.vf for span in spans if span.delivered]
    names = [span.base for span in bases if merged and span.vf <= merged[-1]]
    return names[-1] if names else (bases[-1].base if bases else "")


def _doubted(view: ReleaseView | None, number: int) -> bool:
    """Tell whether a branch that has commits of a request leaves open whether they are in force."""
    if view is None:
        return False
    history, doubted = view.history, view.matrix.of(number).undetermined
    carriers = history.carriers.of(number)
    return any(
        doubted & history.reach.bit(tip)
        and any(history.is_in(carrier.sha, tip) for carrier in carriers)
        for tip in history.branches.values()
    )


def _landings(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Sequence[int],
    moment: tuple[Instant, Instant],
    view: ReleaseView | None,
    states: Mapping[int, Sequence[StateSpan]],
) -> dict[int, tuple[Landing, ...]]:
    if view is None:
        return {}
    entries = {number: entries_of(view.history, number) for number in numbers}
    named = {entry.commit for own in entries.values() for entry in own}
    as_of, known_at = moment
    commits = commits_named(snapshot, repo, named, known_at)
    return {
        number: _dated(own, commits, states.get(number, ()), as_of)
        for number, own in entries.items()
    }


def _dated(
    entries: Sequence[Entry],
    commits: Mapping[str, KnownCommit],
    states: Sequence[StateSpan],
    as_of: Instant,
) -> tuple[Landing, ...]:
    """Date entries by GitHub's time of the merge where they are it, else by their commit.

    On one branch dates never run backwards, and what a branch holds at T it held by then, whatever
    the clocks of committers said.
    """
    merged = next((s for s in states if s.state == "merged" and s.evidence != "git"), None)
    latest: dict[str, Instant] = {}
    landings = []
    for entry in entries:
        known = commits[entry.commit]
        at, record_id = known.commit.committed_at, known.record_id
        if entry.own and merged is not None:
            at, record_id = merged.vf, merged.record_id
        at = latest[entry.branch] = min(as_of, max(at, latest.get(entry.branch, 0)))
        landings.append(
            Landing(
                branch=entry.branch,
                at=at,
                hold=entry.hold,
                commit=entry.commit,
                record_id=record_id,
            )
        )
    return tuple(landings)
