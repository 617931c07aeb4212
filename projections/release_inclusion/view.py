"""Everything that questions about releases need, at one (T, K).

The history (graph, carriers, reverts) is a pure function of what is known; it is built when asked
and kept as long as its inputs stay the same, so that many questions cost one build.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from events.errors import InvalidQuestion, NotFound
from events.facts.curation import MentionDecided
from events.facts.git import Commit, ReleaseObserved
from events.identity import RepositoryKey
from events.instant import Instant
from projections.changed_files.queries import own_patches, patches_version
from projections.release_inclusion import queries
from projections.release_inclusion.history.carriers import Request
from projections.release_inclusion.history.history import History
from projections.release_inclusion.history.history import read_history
from projections.release_inclusion.history.matrix import Matrix
from projections.release_inclusion.known_releases import KnownRelease, KnownReleases
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.queries import HEADS, TAGS, RefValue
from projections.release_inclusion.releases import Alias, TagFamilies, families_of
from projections.release_inclusion.requests import requests_at, with_heads
from projections.release_inclusion.tips import (
    first_values,
    last_held,
    long_lived,
    main_tips,
    reconstructed,
)
from projections.release_inclusion.versions import Scheme
from projections.repositories.branch_roles import BranchRoles
from projections.repositories.queries import former_names, named_at
from projections.store.recent import Recent
from projections.store.snapshot import Snapshot

_KEPT: Final = 4
"""Histories kept: one of 11,000 commits takes some 30 MB."""


Built: TypeAlias = tuple[Mapping[str, RefValue], History, Matrix]


class HistoryCache(Recent[Hashable, Built]):
    """The last few histories, by what they were built from. Safe for several threads."""

    def __init__(self) -> None:
        super().__init__(_KEPT)


class ReleaseView:
    """Refs, releases and history of one repository at one (T, K)."""

    def __init__(
        self,
        *,
        repo: RepositoryKey,
        as_of: Instant,
        known_at: Instant,
        refs: Mapping[str, RefValue],
        published: Mapping[str, ReleaseObserved],
        aliases: Mapping[str, Alias],
        requests: Mapping[int, Request],
        history: History,
        matrix: Matrix,
        families: Sequence[str],
        schemes: Mapping[str, Scheme] = MappingProxyType({}),
    ) -> None:
        self.repo, self.as_of, self.known_at = repo, as_of, known_at
        self.refs, self.aliases = refs, aliases
        self.requests, self.history, self.matrix = requests, history, matrix
        self.published = published
        tags = [name.removeprefix(TAGS) for name in refs if name.startswith(TAGS)]
        self.families = TagFamilies(families or families_of(tags), tags, schemes)
        self.configured_schemes = frozenset(schemes)

    @cached_property
    def known(self) -> KnownReleases:
        """Every tag, in order."""
        tags = (ref for name, ref in self.refs.items() if name.startswith(TAGS))
        return KnownReleases(map(self._known, tags), self.history)

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
    commits_key = queries.commits_version(snapshot, repo, known_at)
    if not commits_key[0]:
        raise NotFound(
            "no commits are recorded; run `shipledger import git` or let the mirror fetch"
        )
    name = named_at(snapshot, repo, known_at)
    roles = roles.with_default(name.default_branch)
    refs: Mapping[str, RefValue] = queries.refs_at(snapshot, repo, as_of, known_at)
    requests_seen, issues = requests_at(snapshot, repo, as_of, known_at)
    requests = with_heads(requests_seen, queries.pull_heads(refs))
    decisions = queries.mention_decisions(snapshot, repo, known_at)
    names = former_names(snapshot, repo, known_at)
    first = first_values(snapshot, repo, as_of, known_at)
    behind = last_held(snapshot, repo, refs.values(), as_of, known_at)
    key = (
        (repo, snapshot.generation("release_inclusion"), commits_key),
        (tuple(refs.values()), tuple(first.values()), tuple(behind.values())),
        (as_of if first else 0, tuple(requests), issues),
        (repr(decisions), names, roles),
        patches_version(snapshot, repo, known_at),
    )

    def build() -> Built:
        commits = queries.commits_at(snapshot, repo, known_at)
        past = reconstructed(first, main_tips(refs, first, roles), commits, as_of)
        known_refs = {**refs, **past}
        all_refs = {**known_refs, **behind}
        patches = own_patches(snapshot, repo, known_at)
        history = _history(commits, all_refs, requests, names, decisions, issues, roles, patches)
        return known_refs, history, Matrix(history)

    known_refs, history, matrix = cache.get(key, build)
    return ReleaseView(
        repo=repo,
        as_of=as_of,
        known_at=known_at,
        refs=known_refs,
        published=queries.published_at(snapshot, repo, as_of, known_at),
        aliases=queries.aliases_at(snapshot, repo, known_at, aliases),
        requests={request.number: request for request in requests},
        history=history,
        matrix=matrix,
        families=families,
        schemes=schemes,
    )


def _history(
    commits: Sequence[Commit],
    refs: Mapping[str, RefValue],
    requests: Sequence[Request],
    names: frozenset[str],
    decisions: Sequence[MentionDecided],
    issues: frozenset[int],
    roles: BranchRoles,
    patches: Mapping[str, str],
) -> History:
    recorded = {commit.sha for commit in commits}
    here = [ref for ref in refs.values() if ref.sha in recorded]
    return read_history(
        commits,
        branches=long_lived(here, roles),
        tags=[ref.sha for ref in here if ref.ref.startswith(TAGS)],
        requests=requests,
        names=Names(names),
        decisions=decisions,
        strangers=issues,
        patches=patches,
    )
