"""One release: what it brings against another one, what it takes away, what cannot be told."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec.structs import replace

from events.errors import InvalidQuestion, NotFound
from events.instant import Instant
from projections.pull_requests.queries import Attributes
from projections.release_inclusion.answers import ReleaseContents, contents, first_shipped
from projections.release_inclusion.history.verdicts import Verdict
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.ports import Port, open_ports, port_of
from projections.release_inclusion.queries import paths_of
from projections.release_inclusion.view import KnownRelease
from projections.repositories.queries import former_names
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.explaining import VerdictExplainer
from services.answers.releases.subjects import Subject, of_release, resolve

#: What a page lists of requests, in its order: name of the list -> heading.
SECTIONS = {
    "new": "New",
    "removed": "Removed",
    "reverted": "Reverted before this release",
    "partly": "Partly in",
    "undetermined": "Cannot be told",
}


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of a release: requests with such a path (a glob), with such a label."""

    path: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One request of a release, or a carrier request with what it `brings`."""

    number: int
    attributes: Attributes | None
    verdict: Verdict | None = None
    because: str = ""
    first: str | None = None
    brings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainCommit:
    """A commit that carries no request."""

    sha: str
    subject: str
    at: Instant
    record_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePage:
    """One release told against another one (None: against nothing)."""

    asked: ResolvedQuestion
    subject: Subject
    release: KnownRelease
    against: Subject | None
    cut_at: Instant | None
    shown: Filter
    lists: Mapping[str, tuple[Row, ...]]
    carriers: tuple[Row, ...]
    unattributed: tuple[PlainCommit, ...]
    ports: tuple[Port, ...]
    """Of what is new here and not on the default branch."""
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def release_page(
    ground: ReleaseContext, name: str, *, against: str | None = None, shown: Filter | None = None
) -> ReleasePage:
    """Answer for one tag or alias; `against` is its predecessor unless it is named."""
    subject = resolve(ground, name)
    release = release_of(ground, subject)
    other = _against(ground, release, against)
    shown = shown or Filter()
    found, hidden = _filtered(ground, contents(ground.view, release, _of(other)), shown)
    rows = _Rows(ground, subject, other, ground.attributes(_numbers(found)))
    return ReleasePage(
        asked=ground.asked,
        subject=subject,
        release=release,
        against=other,
        cut_at=_cut_at(ground, subject),
        shown=shown,
        lists={name: tuple(map(rows.of, getattr(found, name))) for name in SECTIONS},
        carriers=tuple(map(rows.carrier, found.carriers)),
        unattributed=_plain(ground, found.unattributed),
        ports=_ports(ground, [v.number for v in (*found.new, *found.partly)]),
        missing=found.missing,
        notes=(*subject.notes, *_notes(other, found), *hidden),
    )


def release_of(ground: ReleaseContext, subject: Subject) -> KnownRelease:
    """Return the release that a name means; raise InvalidQuestion for a branch, NotFound where its
    commit is not recorded.
    """
    if subject.release is None:
        raise InvalidQuestion(
            f"{subject.name} is a branch and no release; branches move, so name a tag"
        )
    if subject.commit not in ground.view.history.graph:
        raise NotFound(
            f"the commit of {subject.name} is not recorded yet; let the mirror fetch, or run "
            "`shipledger import git` again"
        )
    return subject.release


def _against(ground: ReleaseContext, release: KnownRelease, asked: str | None) -> Subject | None:
    if asked is None:
        before = ground.view.predecessor(release)
        known = before is not None and before.commit in ground.view.history.graph
        return of_release(ground, before) if before and known else None
    other = resolve(ground, asked)
    release_of(ground, other)
    return other


def _of(subject: Subject | None) -> KnownRelease | None:
    return None if subject is None else subject.release


def _notes(against: Subject | None, found: ReleaseContents) -> Iterable[str]:
    if against is None:
        yield "Nothing comes before it in its family: everything that it holds counts as new."
    elif against.commit == found.release.commit:
        yield f"It is the same commit as {against.name}: nothing is new."
    if found.missing:
        yield (
            f"Commits are missing from the recorded history ({len(found.missing)}), so the lists "
            "may be incomplete; import the whole history."
        )


# --- filters ---------------------------------------------------------------------------------


def _filtered(
    ground: ReleaseContext, found: ReleaseContents, shown: Filter
) -> tuple[ReleaseContents, list[str]]:
    """Return what passes the filter, and what has to be said of it."""
    notes = []
    if shown.label is not None:
        attributes = ground.attributes(_numbers(found))
        wanted = shown.label

        def has_label(number: int) -> bool:
            known = attributes.get(number)
            return known is not None and wanted in known.labels

        found = _keep(found, has_label)
        notes.append("Commits without a request have no labels, and are all listed.")
    if shown.path is not None:
        touched, unread = _touching(ground, found, shown.path)
        carriers = ground.view.history.carriers
        found = _keep(found, lambda n: any(c.sha in touched for c in carriers.of(n)))
        found = replace(found, unattributed=tuple(s for s in found.unattributed if s in touched))
        if unread:
            notes.append(f"The paths of {unread} commits were not read; those are kept.")
    return found, notes


def _numbers(found: ReleaseContents) -> set[int]:
    listed = {v.number for section in SECTIONS for v in getattr(found, section)}
    return listed | {*found.carriers}


def _keep(found: ReleaseContents, holds: Callable[[int], bool]) -> ReleaseContents:
    kept: dict[str, Any] = {
        section: tuple(v for v in getattr(found, section) if holds(v.number))
        for section in SECTIONS
    }
    return replace(found, carriers=tuple(filter(holds, found.carriers)), **kept)


def _touching(ground: ReleaseContext, found: ReleaseContents, pattern: str) -> tuple[set[str], int]:
    """Return the commits with such a path, with those whose paths nobody read, and their count."""
    carriers, asked = ground.view.history.carriers, ground.asked
    shas = {c.sha for number in _numbers(found) for c in carriers.of(number)}
    shas |= {*found.unattributed}
    paths = paths_of(ground.snapshot, asked.repo, shas, asked.known_at)
    touching = {sha for sha, named in paths.items() if any(_matches(p, pattern) for p in named)}
    unread = shas - paths.keys()
    return touching | unread, len(unread)


def _matches(path: str, pattern: str) -> bool:
    """Tell whether a path is the pattern, matches it, or lies in a folder of that name."""
    return fnmatchcase(path, pattern) or path.startswith(f"{pattern.rstrip('/')}/")


# --- rows ------------------------------------------------------------------------------------


class _Rows:
    """Makes rows of one page."""

    def __init__(
        self,
        ground: ReleaseContext,
        subject: Subject,
        against: Subject | None,
        attributes: Mapping[int, Attributes],
    ) -> None:
        self._view = ground.view
        self._subject = subject
        self._against = against.name if against else None
        self._attributes = attributes
        self._words = VerdictExplainer(ground)

    def of(self, verdict: Verdict) -> Row:
        release = self._subject.release
        return Row(
            number=verdict.number,
            attributes=self._attributes.get(verdict.number),
            verdict=verdict,
            because=self._words.of(self._subject, verdict, self._against),
            first=first_shipped(self._view, verdict.number, release) if release else None,
        )

    def carrier(self, number: int) -> Row:
        brings = self._view.history.carriers.carried_by(number)
        return Row(number=number, attributes=self._attributes.get(number), brings=brings)


def _plain(ground: ReleaseContext, shas: tuple[str, ...]) -> tuple[PlainCommit, ...]:
    known = ground.commits(shas)
    return tuple(
        PlainCommit(
            sha=sha,
            subject=known[sha].commit.subject,
            at=known[sha].commit.committed_at,
            record_id=known[sha].record_id,
        )
        for sha in shas
    )


def _cut_at(ground: ReleaseContext, subject: Subject) -> Instant | None:
    point = subject.cut and subject.cut.point
    return ground.commits([point])[point].commit.committed_at if point else None


def _ports(ground: ReleaseContext, numbers: Iterable[int]) -> tuple[Port, ...]:
    view, asked = ground.view, ground.asked
    tip = next(iter(view.history.branches.values()), None)
    if tip is None:
        return ()
    bit = view.history.reach.bit(tip)
    away = [number for number in numbers if not view.matrix.of(number).present & bit]
    names = Names(former_names(ground.snapshot, asked.repo, asked.known_at))
    waiting = open_ports(view.history, names) if away else {}
    found = (port_of(view.history, number, waiting) for number in away)
    return tuple(port for port in found if port is not None)
