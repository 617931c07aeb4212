"""What a question is about: a tag, found by its name or an alias, or a branch.

Everything that a reader has to know of the name itself is said in `notes`: that a branch moves,
that a tag moved, what an alias rests on, what else bears the name or lies on the commit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from events.errors import InvalidQuestion, NotFound
from events.instant import INF, Instant
from projections.release_inclusion.known_releases import KnownRelease
from projections.release_inclusion.queries import (
    HEADS,
    TAGS,
    RefSpan,
    RefValue,
    ref_histories,
    ref_history,
)
from projections.release_inclusion.relation import Cut, cut_of
from projections.release_inclusion.view import ReleaseView
from services.answers.releases.context import ReleaseContext
from services.answers.releases.wording import DATED_BY, day, short

T = TypeVar("T")
_NAMED_TAGS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A tag or a branch as it stood at T. `asked` is the alias by which it was named, if any."""

    name: str
    kind: Literal["tag", "branch"]
    commit: str
    at: Instant
    evidence: str
    record_id: str
    cut: Cut | None
    """None where the commit is not recorded."""
    release: KnownRelease | None = None
    asked: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """The full name."""
        return (TAGS if self.kind == "tag" else HEADS) + self.name

    @property
    def label(self) -> str:
        """The name for a sentence: `core_v0.19.0`, `26.08 (core_v0.19.0)`."""
        return self.name if self.asked is None else f"{self.asked} ({self.name})"


def resolve(context: ReleaseContext, name: str) -> Subject:
    """Return what a tag, an alias, a branch or a full ref name means at (T, K).

    A tag comes before a branch of the same name. Raise NotFound with what there is instead.
    """
    view = context.view
    if name.startswith(HEADS) or _is_branch_only(context, name):
        return _branch(context, name.removeprefix(HEADS))
    try:
        return of_release(context, view.release(name), asked=name if name in view.aliases else None)
    except NotFound as error:
        alias = view.aliases.get(name)
        tag = name.removeprefix(TAGS) if alias is None else alias.tag
        raise NotFound(f"{error}{''.join(_hints(context, tag))}") from error


def of_release(
    context: ReleaseContext, release: KnownRelease, *, asked: str | None = None
) -> Subject:
    """Return a known release as a subject."""
    return _of_release(context, release, asked, _values(context, release.tag))


def of_releases(context: ReleaseContext, releases: Iterable[KnownRelease]) -> list[Subject]:
    """Return known releases as subjects."""
    asked = context.asked
    values = ref_histories(context.snapshot, asked.repo, TAGS, asked.known_at)
    return [
        _of_release(context, release, None, values.get(TAGS + release.tag, ()))
        for release in releases
    ]


def _of_release(
    context: ReleaseContext, release: KnownRelease, asked: str | None, values: Iterable[RefSpan]
) -> Subject:
    graph = context.view.history.graph
    return Subject(
        name=release.tag,
        kind="tag",
        commit=release.commit,
        at=release.at,
        evidence=release.evidence,
        record_id=release.record_id,
        cut=cut_of(context.view.history, release.commit) if release.commit in graph else None,
        release=release,
        asked=asked,
        notes=tuple(_tag_notes(context, release, asked, values)),
    )


def newest_first(entries: Sequence[T], subject: Callable[[T], Subject]) -> list[T]:
    """Order what stands in version order for reading: the family with the newest release first,
    each family from its newest version down, tags of no family last.
    """
    families: dict[str, list[T]] = {}
    for entry in entries:
        release = subject(entry).release
        placed = release.release if release else None
        families.setdefault(placed.family if placed else "", []).append(entry)
    ordered = sorted(
        families.items(),
        key=lambda item: (item[0] != "", max(subject(entry).at for entry in item[1]), item[0]),
        reverse=True,
    )
    return [entry for _, family in ordered for entry in reversed(family)]


def _is_branch_only(context: ReleaseContext, name: str) -> bool:
    view = context.view
    return HEADS + name in view.refs and TAGS + name not in view.refs and name not in view.aliases


def _branch(context: ReleaseContext, name: str) -> Subject:
    view = context.view
    ref = view.refs.get(HEADS + name)
    if ref is None:
        raise NotFound(f"no branch {name} is known at that moment")
    if name not in view.history.branches and ref.sha in view.history.graph:
        branches = ", ".join(list(view.history.branches)[:8])
        patterns = ", ".join(context.roles.release)
        raise InvalidQuestion(
            f"{name} has no part in releases, so it is not looked into; asked can be {branches} …, "
            f"or give it a part under [repositories.branches] of shipledger.toml; release branches "
            f"are now those like {patterns}"
        )
    return Subject(
        name=name,
        kind="branch",
        commit=ref.sha,
        at=ref.at,
        evidence=ref.evidence,
        record_id=ref.record_id,
        cut=cut_of(view.history, ref.sha) if ref.sha in view.history.graph else None,
        notes=tuple(_branch_notes(context, ref)),
    )


def _branch_notes(context: ReleaseContext, ref: RefValue) -> Iterator[str]:
    yield (
        f"{ref.name} is a branch, and branches move: on {day(context.asked.as_of)} it stood at "
        f"{short(ref.sha)}."
    )
    if ref.evidence == "reconstructed":
        yield "Where it stood then is reconstructed from its first-parent history."


def _tag_notes(
    context: ReleaseContext, release: KnownRelease, name: str | None, values: Iterable[RefSpan]
) -> Iterator[str]:
    view = context.view
    if name is not None:
        yield from _alias_notes(context, release, name)
    if HEADS + release.tag in view.refs:
        yield (
            f"{release.tag} is also the name of a branch; the tag is meant "
            f"({HEADS}{release.tag} names the branch)."
        )
    others = [known for known in view.known.by_commit[release.commit] if known != release]
    if others:
        yield f"The same commit is also tagged {_several(view, others)}."
    yield from _moves(context, release, values)
    if context.asked.dated and release.evidence in DATED_BY:
        yield f"The tag's date, {day(release.at)}, is {DATED_BY[release.evidence]}."


def _several(view: ReleaseView, releases: Sequence[KnownRelease]) -> str:
    """Write tags in their order; of very many, those that matter most and how many more."""
    more = len(releases) - _NAMED_TAGS
    if more < 2:
        return ", ".join(known.tag for known in view.known.ordered(releases))
    return f"{', '.join(known.tag for known in releases[:_NAMED_TAGS])} and {more:,} more"


def _alias_notes(context: ReleaseContext, release: KnownRelease, name: str) -> Iterator[str]:
    alias = context.view.aliases[name]
    if alias.decided_at is None:
        yield f"{name} means {release.tag} by the configuration."
    else:
        source = f" ({alias.source})" if alias.source else ""
        yield (
            f"{name} means {release.tag} since {alias.author} said so on "
            f"{day(alias.decided_at)}{source}."
        )
    newer = _newer_patch(context, release)
    if newer is not None:
        yield f"{newer} is a newer patch release of that series; {name} was not moved to it."


def _newer_patch(context: ReleaseContext, release: KnownRelease) -> str | None:
    current = release.release
    if current is None:
        return None
    newer = [
        final.tag
        for final in context.view.finals(current.family)
        if final.release is not None
        and final.release.version.series == current.version.series
        and final.release.version > current.version
    ]
    return newer[-1] if newer else None


def _moves(
    context: ReleaseContext, release: KnownRelease, values: Iterable[RefSpan]
) -> Iterator[str]:
    """Tell what the tag meant before and afterwards, as far as known at K."""
    for since, until, sha in values:
        if sha == release.commit and since <= context.asked.as_of < until:
            continue
        meant = "was deleted" if sha is None else f"meant {short(sha)}"
        if until <= context.asked.as_of:
            yield f"The tag moved: until {day(until)} it {meant}."
        elif until < INF:
            yield f"The tag moves later: from {day(since)} until {day(until)} it {meant}."
        else:
            yield f"The tag moves later: from {day(since)} on it {meant}."


def _values(context: ReleaseContext, tag: str) -> list[RefSpan]:
    return ref_history(context.snapshot, context.asked.repo, TAGS + tag, context.asked.known_at)


def _hints(context: ReleaseContext, tag: str) -> Iterator[str]:
    for since, until, sha in _values(context, tag):
        if since <= context.asked.as_of < until and sha is None:
            yield f"; it was deleted on {day(since)}: ask --as-of a moment before"
        elif since > context.asked.as_of and sha is not None:
            yield f"; it is known from {day(since)} on"
            return
    if tag in context.view.published:
        yield "; GitHub published it, and its commit is not recorded yet: let the mirror fetch"
