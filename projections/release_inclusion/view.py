"""Everything that questions about releases need, at one (T, K).

What the commits stand for depends on K alone (`inputs.py`); it is taken from memory, from what is
kept in the read model, or made. T chooses the refs, and the requests that were there.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from events.errors import InvalidQuestion, NotFound
from events.facts.git import ReleaseObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.release_inclusion import queries
from projections.release_inclusion.advancing import advanced, may_advance
from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.matrix import Matrix
from projections.release_inclusion.history.sums import Sums
from projections.release_inclusion.inputs import Inputs, attribution_of, here, inputs_at
from projections.release_inclusion.keeping import kept_before, kept_history
from projections.release_inclusion.known_releases import KnownRelease, KnownReleases
from projections.release_inclusion.queries import HEADS, TAGS, RefValue
from projections.release_inclusion.releases import Alias, TagFamilies, families_of
from projections.release_inclusion.requests import requests_of_moment
from projections.release_inclusion.tips import (
    PastTips,
    first_values,
    last_held,
    long_lived,
    main_tips,
)
from projections.release_inclusion.versions import Scheme
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import named_at
from projections.store.recent import Recent
from projections.store.snapshot import Snapshot

_ATTRIBUTIONS: Final = 4
"""Kept in memory: one of 40,000 commits takes some 40 MB."""
_MOMENTS: Final = 32
"""Moments of these that are kept: branches, tags, requests, and the verdicts asked for."""

_LISTS: Final = 4
"""Lists of releases that are kept of each moment: one for each configuration that asks."""


class Moment:
    """The refs that stood at one T, and the history seen from them."""

    def __init__(self, refs: Mapping[str, RefValue], history: History) -> None:
        self.refs, self.history = refs, history
        self.matrix = Matrix(history)
        self.sums = Sums(history, self.matrix)
        self.known: Recent[Hashable, KnownReleases] = Recent(_LISTS)
        """The releases, by what is known of them beside the refs."""


class HistoryCache:
    """The attributions and moments that were asked for last. Safe for several threads."""

    def __init__(self) -> None:
        self._attributions: Recent[Inputs, Attribution] = Recent(_ATTRIBUTIONS)
        self._moments: Recent[Hashable, Moment] = Recent(_MOMENTS)
        self._past: Recent[Hashable, PastTips] = Recent(_ATTRIBUTIONS)
        self._newest: dict[RepositoryKey, tuple[Inputs, Attribution]] = {}
        self._made: dict[Inputs, Attribution] = {}

    def take_made(self) -> Mapping[Inputs, Attribution]:
        """Return what was made last since it was not kept: whoever may write keeps it."""
        made, self._made = self._made, {}
        return made

    def attribution(self, snapshot: Snapshot, inputs: Inputs, known_at: Instant) -> Attribution:
        """Return the attribution of these inputs: as it is kept, carried on, or made."""

        def find() -> Attribution:
            known = kept_history(snapshot, inputs) or self._advanced(snapshot, inputs, known_at)
            if known is None:
                known = attribution_of(snapshot, inputs, known_at)
                self._made = {inputs: known}
            newest = self._newest.get(inputs.repo)
            if newest is None or newest[0].known_until <= inputs.known_until:
                self._newest[inputs.repo] = inputs, known
            return known

        return self._attributions.get(inputs, find)

    def _advanced(
        self, snapshot: Snapshot, inputs: Inputs, known_at: Instant
    ) -> Attribution | None:
        newest = self._newest.get(inputs.repo)
        if newest is not None:
            found = advanced(snapshot, *newest, inputs, known_at)
            if found is not None:
                return found
        kept = kept_before(snapshot, inputs, lambda old: may_advance(old, inputs))
        return None if kept is None else advanced(snapshot, *kept, inputs, known_at)

    def moment(
        self, snapshot: Snapshot, inputs: Inputs, as_of: Instant, known_at: Instant
    ) -> Moment:
        """Return what stood at T. From K on nothing changes with T."""
        past = as_of if as_of < known_at else None
        known = known_at if past is not None else None

        def look() -> Moment:
            attribution = self.attribution(snapshot, inputs, known_at)

            def past_tips(mains: Mapping[str, str]) -> PastTips:
                key = (inputs, tuple(mains.items()))
                return self._past.get(key, lambda: PastTips(attribution, mains))

            return _moment(snapshot, inputs, attribution, past_tips, as_of, known_at)

        return self._moments.get((inputs, past, known), look)


def _moment(
    snapshot: Snapshot,
    inputs: Inputs,
    attribution: Attribution,
    past_tips: Callable[[Mapping[str, str]], PastTips],
    as_of: Instant,
    known_at: Instant,
) -> Moment:
    repo, roles, graph = inputs.repo, inputs.roles, attribution.graph
    refs = {
        **queries.refs_at(snapshot, repo, as_of, known_at, prefix=HEADS),
        **queries.refs_at(snapshot, repo, as_of, known_at, prefix=TAGS),
    }
    first = first_values(snapshot, repo, as_of, known_at)
    if first:
        refs |= past_tips(main_tips(refs, first, roles)).at(first, as_of)
    unseen = [ref for ref in refs.values() if ref.sha not in graph]
    standing = here(refs, last_held(snapshot, repo, unseen, as_of, known_at), graph)
    requests = None
    if as_of < known_at:
        requests = requests_of_moment(snapshot, repo, as_of, known_at, attribution.requests)
    history = History(
        attribution,
        branches=long_lived(standing, roles),
        tags=[ref.sha for ref in standing if ref.ref.startswith(TAGS)],
        requests=requests,
    )
    return Moment(refs, history)


class ReleaseView:
    """Refs, releases and history of one repository at one (T, K)."""

    def __init__(
        self,
        *,
        repo: RepositoryKey,
        as_of: Instant,
        known_at: Instant,
        moment: Moment,
        published: Mapping[str, ReleaseObserved],
        aliases: Mapping[str, Alias],
        families: Sequence[str],
        schemes: Mapping[str, Scheme] = MappingProxyType({}),
    ) -> None:
        self.repo, self.as_of, self.known_at = repo, as_of, known_at
        self._moment = moment
        self.refs, self.aliases = moment.refs, aliases
        self.history, self.matrix, self.sums = moment.history, moment.matrix, moment.sums
        self.requests: Mapping[int, Request] = moment.history.requests
        self.published = published
        tags = [name.removeprefix(TAGS) for name in self.refs if name.startswith(TAGS)]
        self.families = TagFamilies(families or families_of(tags), tags, schemes)
        self.configured_schemes = frozenset(schemes)

    @cached_property
    def known(self) -> KnownReleases:
        """Every tag, in order."""
        decided = (tuple(self.published.items()), tuple(self.aliases.items()))
        families = (self.families.patterns, tuple(self.families.schemes.items()))
        tags = (ref for name, ref in self.refs.items() if name.startswith(TAGS))
        return self._moment.known.get(
            (decided, families), lambda: KnownReleases(map(self._known, tags), self.history)
        )

    @property
    def releases(self) -> tuple[KnownRelease, ...]:
        """Every tag: those of families in version order, then the others by name."""
        return self.known.all

    def _known(self, ref: RefValue) -> KnownRelease:
        published = self.published.get(ref.name)
        aliases = [alias for alias, meaning in self.aliases.items() if meaning.tag == ref.name]
        # the tag of a release that was a draft is there before readers see the release
        at = published.published_at if published and published.published_at else ref.at
        return KnownRelease(
            tag=ref.name,
            commit=ref.sha,
            at=at,
            evidence="published" if published else ref.evidence,
            record_id=ref.record_id,
            annotated=ref.tag_object is not None,
            release=self.families.release(
                ref.name, ref.sha, at=at, prerelease=published.prerelease if published else None
            ),
            published=published,
            aliases=tuple(sorted(aliases)),
        )

    def release(self, name: str) -> KnownRelease:
        """Return a release by its tag or an alias; raise NotFound with what there is."""
        tag = self.aliases[name].tag if name in self.aliases else name.removeprefix(TAGS)
        if tag in self.known.by_tag:
            return self.known.by_tag[tag]
        if HEADS + tag in self.refs:
            raise InvalidQuestion(f"{tag} is a branch and no tag; branches move, so name a tag")
        near = [release.tag for release in self.releases if name.lower() in release.tag.lower()][
            -5:
        ]
        hint = f"; there are {', '.join(near)}" if near else ""
        meant = f", which {name} stands for," if tag != name else ""
        raise NotFound(f"no tag {tag}{meant} is known at that moment{hint}")

    def predecessor(self, release: KnownRelease) -> KnownRelease | None:
        """Return the release that this one is told against."""
        return self.known.predecessor(release)

    def finals(self, family: str) -> Sequence[KnownRelease]:
        """Return the final releases of a family, oldest version first."""
        return self.known.finals(family)


def view(
    snapshot: Snapshot,
    repo: RepositoryKey,
    as_of: Instant,
    known_at: Instant,
    *,
    roles: BranchRoles,
    families: Sequence[str],
    cache: HistoryCache,
    aliases: Mapping[str, str] = MappingProxyType({}),
    schemes: Mapping[str, Scheme] = MappingProxyType({}),
) -> ReleaseView:
    """Read everything at (T, K); raise NotFound where no commits are recorded.

    `families`, `aliases` and `schemes` are those of the configuration.
    """
    name = named_at(snapshot, repo, known_at)
    inputs = inputs_at(snapshot, repo, known_at, roles.with_default(name.default_branch))
    if not inputs.has_commits:
        raise NotFound(
            "no commits are recorded; run `shipledger import git` or let the mirror fetch"
        )
    moment = cache.moment(snapshot, inputs, as_of, known_at)
    return ReleaseView(
        repo=repo,
        as_of=as_of,
        known_at=known_at,
        moment=moment,
        published=queries.published_at(snapshot, repo, as_of, known_at),
        aliases=queries.aliases_at(snapshot, repo, known_at, aliases),
        families=families,
        schemes=schemes,
    )
