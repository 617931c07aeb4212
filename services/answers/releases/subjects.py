"""What a question is about: a tag, found by its name or an alias, or a branch.

Everything that a reader has to know of the name itself is said in `notes`: that a branch moves,
that a tag moved, what an alias rests on, what else bears the name or lies on the commit.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from events.errors import InvalidQuestion, NotFound
from events.instant import INF, Instant
from projections.release_inclusion.queries import HEADS, TAGS, RefValue, ref_history
from projections.release_inclusion.relation import Cut, cut_of
from projections.release_inclusion.view import KnownRelease
from services.answers.releases.context import ReleaseContext
from services.answers.releases.wording import DATED_BY, day, short

T = TypeVar("T")


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


def resolve(ground: ReleaseContext, name: str) -> Subject:
    """Return what a tag, an alias, a branch or a full ref name means at (T, K).

    A tag comes before a branch of the same name. Raise NotFound with what there is instead.
    """
    view = ground.view
    if name.startswith(HEADS) or _is_branch_only(ground, name):
        return _branch(ground, name.removeprefix(HEADS))
    try:
        return of_release(ground, view.release(name), asked=name if name in view.aliases else None)
    except NotFound as error:
        alias = view.aliases.get(name)
        tag = name.removeprefix(TAGS) if alias is None else alias.tag
        raise NotFound(f"{error}{''.join(_hints(ground, tag))}") from error


def of_release(
    ground: ReleaseContext, release: KnownRelease, *, asked: str | None = None
) -> Subject:
    """Return a known release as a subject."""
    graph = ground.view.history.graph
    return Subject(
        name=release.tag,
        kind="tag",
        commit=release.commit,
        at=release.at,
        evidence=release.evidence,
        record_id=release.record_id,
        cut=cut_of(ground.view.history, release.commit) if release.commit in graph else None,
        release=release,
        asked=asked,
        notes=tuple(_tag_notes(ground, release, asked)),
    )


def newest_first(found: Sequence[T], subject: Callable[[T], Subject]) -> list[T]:
    """Order what stands in version order for reading: the family with the newest release first,
    each family from its newest version down, tags of no family last.
    """
    families: dict[str, list[T]] = {}
    for one in found:
        release = subject(one).release
        placed = release.release if release else None
        families.setdefault(placed.family if placed else "", []).append(one)
    ordered = sorted(
        families.items(),
        key=lambda item: (item[0] != "", max(subject(one).at for one in item[1]), item[0]),
        reverse=True,
    )
    return [one for _, family in ordered for one in reversed(family)]


def _is_branch_only(ground: ReleaseContext, name: str) -> bool:
    view = ground.view
    return HEADS + name in view.refs and TAGS + name not in view.refs and name not in view.aliases


def _branch(ground: ReleaseContext, name: str) -> Subject:
    view = ground.view
    ref = view.refs.get(HEADS + name)
    if ref is None:
        raise NotFound(f"no branch {name} is known at that moment")
    if name not in view.history.branches and ref.sha in view.history.graph:
        there = ", ".join(list(view.history.branches)[:8])
        raise InvalidQuestion(
            f"{name} has no part in releases, so it is not looked into; asked can be {there} …, or "
            "give it a part under [repositories.branches] of shipledger.toml"
        )
    return Subject(
        name=name,
        kind="branch",
        commit=ref.sha,
        at=ref.at,
        evidence=ref.evidence,
        record_id=ref.record_id,
        cut=cut_of(view.history, ref.sha) if ref.sha in view.history.graph else None,
        notes=tuple(_branch_notes(ground, ref)),
    )


def _branch_notes(ground: ReleaseContext, ref: RefValue) -> Iterator[str]:
    yield (
        f"{ref.name} is a branch, and branches move: on {day(ground.asked.as_of)} it stood at "
        f"{short(ref.sha)}."
    )
    if ref.evidence == "reconstructed":
        yield "Where it stood then is reconstructed from its first-parent history."


def _tag_notes(ground: ReleaseContext, release: KnownRelease, asked: str | None) -> Iterator[str]:
    view = ground.view
    if asked is not None:
        yield from _alias_notes(ground, release, asked)
    if HEADS + release.tag in view.refs:
        yield (
            f"{release.tag} is also the name of a branch; the tag is meant "
            f"({HEADS}{release.tag} names the branch)."
        )
    same = [one.tag for one in view.releases if one.commit == release.commit]
    if len(same) > 1:
        others = ", ".join(tag for tag in same if tag != release.tag)
        yield f"The same commit is also tagged {others}."
    yield from _moves(ground, release)
    if ground.asked.dated and release.evidence in DATED_BY:
        yield f"The tag's date, {day(release.at)}, is {DATED_BY[release.evidence]}."


def _alias_notes(ground: ReleaseContext, release: KnownRelease, asked: str) -> Iterator[str]:
    alias = ground.view.aliases[asked]
    if alias.decided_at is None:
        yield f"{asked} means {release.tag} by the configuration."
    else:
        source = f" ({alias.source})" if alias.source else ""
        yield (
            f"{asked} means {release.tag} since {alias.author} said so on "
            f"{day(alias.decided_at)}{source}."
        )
    newer = _newer_patch(ground, release)
    if newer is not None:
        yield f"{newer} is a newer patch release of that series; {asked} was not moved to it."


def _newer_patch(ground: ReleaseContext, release: KnownRelease) -> str | None:
    own = release.release
    if own is None:
        return None
    newer = [
        one.tag
        for one in ground.view.finals(own.family)
        if one.release is not None
        and one.release.version.series == own.version.series
        and one.release.version > own.version
    ]
    return newer[-1] if newer else None


def _moves(ground: ReleaseContext, release: KnownRelease) -> Iterator[str]:
    """Tell what the tag meant before and afterwards, as far as known at K."""
    values = _values(ground, release.tag)
    for since, until, sha in values:
        if sha == release.commit and since <= ground.asked.as_of < until:
            continue
        meant = "was deleted" if sha is None else f"meant {short(sha)}"
        if until <= ground.asked.as_of:
            yield f"The tag moved: until {day(until)} it {meant}."
        elif until < INF:
            yield f"The tag moves later: from {day(since)} until {day(until)} it {meant}."
        else:
            yield f"The tag moves later: from {day(since)} on it {meant}."


def _values(ground: ReleaseContext, tag: str) -> list[tuple[Instant, Instant, str | None]]:
    return ref_history(ground.snapshot, ground.asked.repo, TAGS + tag, ground.asked.known_at)


def _hints(ground: ReleaseContext, tag: str) -> Iterator[str]:
    for since, until, sha in _values(ground, tag):
        if since <= ground.asked.as_of < until and sha is None:
            yield f"; it was deleted on {day(since)}: ask --as-of a moment before"
        elif since > ground.asked.as_of and sha is not None:
            yield f"; it is known from {day(since)} on"
            return
    if tag in ground.view.published:
        yield "; GitHub published it, and its commit is not recorded yet: let the mirror fetch"
