"""The change groups of some requests at one (T, K)."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import select

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.change_groups.grouping import Grouping, group
from projections.period_ledger.change_groups.members import Decision, Member
from projections.period_ledger.change_groups.pairing import StatementReader, relations
from projections.period_ledger.change_groups.patches import with_patches
from projections.period_ledger.change_groups.similarity import Limits, near_titles
from projections.period_ledger.files.queries import files_seen
from projections.pull_requests import store
from projections.pull_requests.attributes import attributes
from projections.pull_requests.observation import Observation, Sighting, in_order
from projections.pull_requests.queries import (
    bases_of,
    heads_among,
    sightings_of,
    spans_in,
)
from projections.pull_requests.spans import StateSpan
from projections.pull_requests.tables import PullRequestTables
from projections.pull_requests.texts import RequestText, texts_seen
from projections.release_inclusion.history.carriers import Carrier
from projections.release_inclusion.messages.references import Names
from projections.repositories.branch_roles import BranchRoles, group_of, without_role
from projections.repositories.queries import former_names
from projections.store.dialects import chunks
from projections.store.snapshot import Snapshot

#: References are followed so many steps: a backport of a port of a resubmission.
_STEPS = 3


class ChangeGroups(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: every member that was looked at, the groups, and certain (revert, target)."""

    members: Mapping[int, Member]
    texts: Mapping[int, RequestText]
    """Of the members, those that somebody showed."""
    grouping: Grouping
    reverts: tuple[tuple[int, int], ...]


def change_groups(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    as_of: Instant,
    known_at: Instant,
    *,
    roles: BranchRoles,
    carriers: Iterable[Carrier] = (),
    decisions: Iterable[Decision] = (),
    limits: Limits | None = None,
) -> ChangeGroups:
    """Group some requests with all others that land the same change.

    Compared are those that texts or `carriers` name, and those that were opened, merged or closed
    within `limits.window` before T. `carriers` come from the commit graph, where one is recorded.
    """
    limits = limits or Limits()
    wanted, carriers = set(numbers), tuple(carriers)
    names = Names(former_names(snapshot, repo, known_at))
    recent = spans_in(snapshot, repo, max(as_of - limits.window, 0), as_of + 1, known_at)
    reader = _Reader(snapshot, repo, as_of, known_at, roles)
    brought = {
        number
        for carrier in carriers
        if wanted & {carrier.number, carrier.via}
        for number in (carrier.number, carrier.via)
        if number is not None
    }
    members = reader.members(wanted | brought | {number for number, _ in recent})
    statement_reader = StatementReader(names)
    for _ in range(_STEPS):
        named = {statement.target for statement in statement_reader.statements(members)}
        more = reader.members(named - members.keys())
        if not more:
            break
        members |= more
    members = with_patches(snapshot, repo, members, reader.observed(members), as_of, known_at)
    near = near_titles(members, wanted, limits)
    members = _with_paths(reader, members, {number for pair in near for number in pair})
    ties = relations(members, statement_reader.statements(members), near, carriers)
    return ChangeGroups(
        members=members,
        texts=reader.texts,
        grouping=group(members, ties.pairs, decisions),
        reverts=ties.reverts,
    )


def _with_paths(
    reader: "_Reader", members: Mapping[int, Member], near: set[int]
) -> dict[int, Member]:
    """Read the files of those requests only whose titles are near another one's."""
    paths = reader.paths(members, near)
    return {
        number: msgspec.structs.replace(member, paths=paths[number]) if number in paths else member
        for number, member in members.items()
    }


class _Reader:
    """Reads members of one repository at one (T, K)."""

    def __init__(
        self,
        snapshot: Snapshot,
        repo: RepositoryKey,
        as_of: Instant,
        known_at: Instant,
        roles: BranchRoles,
    ) -> None:
        self._snapshot, self._repo, self._roles = snapshot, repo, roles
        self._as_of, self._known_at = as_of, known_at
        self._sightings: dict[int, list[Sighting]] = {}
        self.texts: dict[int, RequestText] = {}

    def members(self, numbers: Iterable[int]) -> dict[int, Member]:
        """Return the requests among some numbers that were opened by T."""
        wanted = set(numbers)
        spans = self._spans(wanted)
        sightings = sightings_of(self._snapshot, self._repo, spans, self._known_at)
        self._sightings |= sightings
        self.texts |= texts_seen(self._snapshot, self._repo, sightings, self._as_of)
        bases = self._bases(spans)
        groups = self._groups(bases.values())
        members: dict[int, Member] = {}
        for number, its in sorted(spans.items()):
            current = attributes(number, sightings.get(number, ()), self._as_of)
            now = next((span for span in reversed(its) if self._as_of < span.vt), its[-1])
            base, text = bases.get(number), self.texts.get(number)
            members[number] = Member(
                number=number,
                title=current.title or "",
                text="" if text is None else text.text,
                digest="" if text is None else text.digest,
                head=current.head,
                base=base,
                role="other" if base is None else groups[base],
                author=current.author,
                state="merged" if now.delivered else now.state,
                opened_at=its[0].vf,
                ended_at=None if now.state == "open" else now.vf,
                commits=_commits(sightings.get(number, ()), self._as_of),
            )
        return members

    def observed(self, numbers: Iterable[int]) -> dict[int, list[Observation]]:
        """Return what requests that were read showed of themselves up to T, in order."""
        return {number: _up_to(self._sightings.get(number, ()), self._as_of) for number in numbers}

    def paths(self, members: Mapping[int, Member], numbers: set[int]) -> dict[int, tuple[str, ...]]:
        """Return the files of those requests whose list is whole."""
        merged = {number for number in numbers if members[number].state == "merged"}
        sightings = {number: self._sightings.get(number, []) for number in numbers}
        files = files_seen(
            self._snapshot, self._repo, sightings, merged, self._as_of, self._known_at
        )
        return {
            number: files_of_one.paths
            for number, files_of_one in files.items()
            if files_of_one.state == "whole"
        }

    def _spans(self, numbers: set[int]) -> dict[int, list[StateSpan]]:
        table = self._snapshot.tables(PullRequestTables).states
        by_number: dict[int, list[StateSpan]] = {}
        for chunk in chunks(sorted(numbers)):
            query = select(table).where(
                table.c.repo == self._repo,
                table.c.number.in_(chunk),
                table.c.kf <= self._known_at,
                table.c.kt > self._known_at,
                table.c.vf <= self._as_of,
            )
            for row in self._snapshot.connection.execute(query).mappings():
                by_number.setdefault(row["number"], []).append(store.read_state(row))
        for spans in by_number.values():
            spans.sort(key=lambda span: (span.vf, span.vt))
        return by_number

    def _bases(self, numbers: Iterable[int]) -> dict[int, str]:
        spans = bases_of(self._snapshot, self._repo, numbers, self._known_at)
        return {
            number: passed[-1].base
            for number, its in spans.items()
            if (passed := [span for span in its if span.vf <= self._as_of])
        }

    def _groups(self, bases: Iterable[str]) -> dict[str, str]:
        known = set(bases)
        heads = heads_among(
            self._snapshot, self._repo, without_role(known, self._roles), self._known_at
        )
        return {base: group_of(base, self._roles, heads) for base in known}


def _commits(sightings: Sequence[Sighting], as_of: Instant) -> tuple[str, ...]:
    """Return the SHAs by which others may mean a request: its landing and its heads."""
    facts = [observation.fact for observation in _up_to(sightings, as_of)]
    shas = [sha for fact in facts for sha in (fact.merge_commit_sha, fact.head_sha)]
    return tuple(sorted({sha for sha in shas if sha is not None}))


def _up_to(sightings: Iterable[Sighting], as_of: Instant) -> list[Observation]:
    return in_order(
        sighting
        for sighting in sightings
        if isinstance(sighting, Observation) and sighting.fact.at <= as_of
    )
