"""Everything that questions about roadmaps need, at one (T, K): roadmaps, editions, items judged.

What is said of one repository's roadmaps is read once and judged as often as asked: the facts of a
number answer for any moment up to T.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

import msgspec

from events.errors import NotFound
from events.facts.roadmap import RoadmapItemDecided
from events.identity import RepositoryKey, host_of
from events.instant import Instant
from projections.release_inclusion.view import ReleaseView
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import former_names
from projections.roadmap_status import queries
from projections.roadmap_status.choosing import Choice, KnownRoadmap, chosen
from projections.roadmap_status.drift.claim_drift import claim_drift, release_drift
from projections.roadmap_status.drift.drift import Drift, DriftContext, completed
from projections.roadmap_status.drift.hints import Hint, hints
from projections.roadmap_status.drift.link_drift import date_drift, link_drift
from projections.roadmap_status.drift.release_holds import ReleaseHolds
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.editions.walk import Edition, Walk, walk
from projections.roadmap_status.issues import IMPORTED, Sighting, versions
from projections.roadmap_status.items.links import LinkKind, LinkRole
from projections.roadmap_status.keeping import KeptEditions
from projections.roadmap_status.queries import Decisions
from projections.roadmap_status.reading import Reader, Reference
from projections.roadmap_status.status.facts import NumberFacts
from projections.roadmap_status.status.gathering import gather
from projections.roadmap_status.status.judging import JudgedItem, JudgingContext, judge, summed
from projections.roadmap_status.status.moving import followed
from projections.roadmap_status.status.status import Status
from projections.roadmap_status.status.subs import SubIssue, sub_issues
from projections.roadmap_status.words.phrases import Phrases
from projections.store.snapshot import Snapshot

_DEEPEST: Final = 5
"""Roadmaps nested in each other that are looked into."""


class Convention(msgspec.Struct, frozen=True, kw_only=True):
    """What is configured about the roadmaps of a repository."""

    choices: tuple[Choice, ...] = ()
    phrases: Phrases = msgspec.field(default_factory=Phrases)
    default_branch: str = ""
    """Where "delivered" is tested; empty: the repository's default branch."""
    roles: BranchRoles = msgspec.field(default_factory=BranchRoles)


class ViewedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item with all that is told of it."""

    judged: JudgedItem
    drift: tuple[Drift, ...]
    hints: tuple[Hint, ...]
    sub_issues: tuple[SubIssue, ...] = ()
    """Of the issues that it links to, without those that it links to itself."""


class RoadmapView(msgspec.Struct, frozen=True, kw_only=True):
    """One roadmap at one moment."""

    roadmap: KnownRoadmap
    edition: Edition
    moment: Instant
    items: tuple[ViewedItem, ...]
    sub_issues: tuple[SubIssue, ...] = ()
    """Of the roadmap issue, without those that items list."""

    def item(self, item_id: str) -> ViewedItem:
        """Return an item by its id, or by a beginning of it that no other has."""
        fits = [item for item in self.items if item.judged.id.startswith(item_id)]
        if len(fits) != 1:
            raise NotFound(f"no item {item_id!r} in #{self.roadmap.number} at that moment")
        return fits[0]


class RoadmapContext:
    """Roadmaps of one repository at one (T, K). `view` is None where no commits are recorded."""

    def __init__(
        self,
        snapshot: Snapshot,
        repo: RepositoryKey,
        as_of: Instant,
        known_at: Instant,
        *,
        view: ReleaseView | None,
        default_branch: str,
        convention: Convention,
        cache: EditionCache,
    ) -> None:
        self.snapshot, self.repo, self.as_of, self.known_at = snapshot, repo, as_of, known_at
        self.view, self.convention, self._cache = view, convention, cache
        default = convention.default_branch or default_branch or "main"
        self.drift_context = DriftContext(
            roles=convention.roles.with_default(default_branch),
            default=default,
            releases=ReleaseHolds(view),
            moment=as_of,
        )
        self._facts: dict[int, NumberFacts] = {}
        self._subs: dict[int, tuple[Reference, ...]] = {}
        self._walks: dict[int, Walk] = {}
        self._decisions: dict[int, Decisions] = {}

    @cached_property
    def _sightings(self) -> Mapping[int, Sequence[Sighting]]:
        where = (self.snapshot, self.repo)
        own = any(choice.label or choice.title for choice in self.convention.choices)
        numbers = queries.every(*where, self.known_at) if own else self._likely
        return queries.sightings_of(*where, numbers, self.known_at)

    @property
    def _likely(self) -> set[int]:
        named = {number for choice in self.convention.choices for number in choice.issues}
        return {*queries.candidates(self.snapshot, self.repo, self.known_at), *named}

    @cached_property
    def roadmaps(self) -> tuple[KnownRoadmap, ...]:
        """The issues that are roadmaps at T, ascending."""
        imported = [
            number
            for number, sightings in self._sightings.items()
            if any(sighting.fact.kind == IMPORTED for sighting in sightings)
        ]
        return tuple(chosen(self._sightings, self.convention.choices, imported, self.as_of))

    @cached_property
    def reader(self) -> Reader:
        """How links are read: the repository's names, and which numbers are roadmaps."""
        return Reader(
            names=former_names(self.snapshot, self.repo, self.known_at),
            host=host_of(self.repo),
            roadmaps=frozenset(("", roadmap.number) for roadmap in self.roadmaps),
        )

    def roadmap(self, number: int) -> KnownRoadmap:
        """Return a roadmap; raise NotFound with what there is instead."""
        for roadmap in self.roadmaps:
            if roadmap.number == number:
                return roadmap
        known = ", ".join(f"#{roadmap.number}" for roadmap in self.roadmaps) or "none"
        raise NotFound(f"#{number} is no roadmap that was known then; there are: {known}")

    def walk(self, number: int) -> Walk:
        """Return all editions of a roadmap up to T."""
        if number not in self._walks:
            self.roadmap(number)
            self._walks[number] = walk(
                self.repo,
                number,
                versions(self._sightings[number], self.as_of),
                self.reader,
                self.convention.phrases,
                store=KeptEditions(self.snapshot, self.repo),
                cache=self._cache,
            )
        return self._walks[number]

    def text(self, edition: Edition) -> str:
        """Return the text of an edition, as it was received."""
        digest = edition.version.text
        return queries.texts_of(self.snapshot, self.repo, [digest])[digest]

    def decisions(self, number: int) -> Decisions:
        """Return what persons decided about a roadmap."""
        if number not in self._decisions:
            found = queries.decisions_of(self.snapshot, self.repo, number, self.known_at)
            self._decisions[number] = found
        return self._decisions[number]

    def view_of(self, number: int, moment: Instant | None = None) -> RoadmapView:
        """Return a roadmap as it stood, and was true, at a moment up to T (None: T)."""
        at = self.as_of if moment is None else min(moment, self.as_of)
        edition = self.walk(number).upto(at)
        if edition is None:
            raise NotFound(f"#{number} had no text at that moment")
        judged = self._judged(number, edition, at, frozenset())
        context = replace(self.drift_context, moment=at)
        items = tuple(self._item(number, item, edition, context) for item in judged)
        self._gather([number])
        listed = {part.link.reference.key for item in judged for part in item.parts}
        listed |= {part.reference.key for item in items for part in item.sub_issues}
        return RoadmapView(
            roadmap=self.roadmap(number),
            edition=edition,
            moment=at,
            items=items,
            sub_issues=sub_issues([number], self._subs, self._facts, at, listed),
        )

    def statuses(self, number: int, moment: Instant) -> tuple[JudgedItem, ...]:
        """Return the items judged at a moment, without drift; none before the first edition."""
        edition = self.walk(number).upto(moment)
        return () if edition is None else self._judged(number, edition, moment, frozenset())

    def _item(
        self, number: int, item: JudgedItem, edition: Edition, context: DriftContext
    ) -> ViewedItem:
        drifts = (
            *claim_drift(item, context),
            *release_drift(item, context),
            *date_drift(item, edition.version),
            *link_drift(item, context, edition.version),
        )
        quiet = self.decisions(number).acknowledged
        claimed = edition.claimed[item.id]
        # A roadmap that is linked to lists its own parts.
        issues = (
            part.link.reference
            for part in item.parts
            if part.role is LinkRole.TRACKING and part.link.kind is not LinkKind.ROADMAP
        )
        roots = [issue.number for issue in issues if issue.repository is None]
        named = [("", number), *(part.link.reference.key for part in item.parts)]
        return ViewedItem(
            judged=item,
            drift=completed(drifts, item, claimed, quiet, context.moment),
            hints=tuple(hints(item, context.releases)),
            sub_issues=sub_issues(roots, self._subs, self._facts, context.moment, named),
        )

    def _judged(
        self, number: int, edition: Edition, moment: Instant, above: frozenset[int]
    ) -> tuple[JudgedItem, ...]:
        self._gather(
            link.reference.number
            for match in edition.matches
            for link in match.item.links
            if link.reference.repository is None
        )
        inside = above | {number}

        def nested(reference: Reference) -> Status | None:
            return self._nested(reference, moment, inside)

        by_item: dict[str, list[tuple[str, RoadmapItemDecided]]] = {}
        for record_id, decision in self.decisions(number).items:
            by_item.setdefault(decision.item, []).append((record_id, decision))
        context = JudgingContext(
            moment=moment,
            facts=self._facts,
            decisions={own: tuple(about) for own, about in by_item.items()},
            subs=self._own_subs(),
            nested=nested,
        )
        return judge(edition.matches, context)

    def _own_subs(self) -> Mapping[int, tuple[int, ...]]:
        """Return the sub-issues of this repository by number."""
        return {
            parent: tuple(part.number for part in parts if part.repository is None)
            for parent, parts in self._subs.items()
        }

    def _nested(
        self, reference: Reference, moment: Instant, above: frozenset[int]
    ) -> Status | None:
        number = reference.number
        known = reference.repository is None and any(
            roadmap.number == number for roadmap in self.roadmaps
        )
        if not known or number in above or len(above) > _DEEPEST:
            return None
        edition = self.walk(number).upto(moment)
        if edition is None:
            return None
        return summed(self._judged(number, edition, moment, above))

    def _gather(self, numbers: Iterable[int]) -> None:
        """Read the facts of numbers, and of the sub-issues of those that are issues, once each."""
        wanted = {number for number in numbers if number not in self._facts}
        where = (self.snapshot, self.repo)
        while wanted:
            facts = gather(*where, wanted, self.as_of, self.known_at, self.view)
            self._facts |= followed(self.snapshot, facts.values(), self.known_at)
            issues = [number for number in wanted if self._facts[number].is_issue]
            subs = queries.parts_of(*where, issues, self.as_of, self.known_at)
            self._subs |= subs
            children = {part.number for p in subs.values() for part in p if not part.repository}
            wanted = children - self._facts.keys()
