"""One release: what it brings against another one, what it takes away, what cannot be told."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import msgspec
from msgspec.structs import replace

from events.errors import InvalidQuestion, NotFound
from events.instant import Instant
from projections.pull_requests.attributes import Attributes
from projections.release_inclusion.answers import ReleaseContents, contents, first_shipped
from projections.release_inclusion.history.twins import twins_of
from projections.release_inclusion.history.verdicts import Verdict
from projections.release_inclusion.lacking import Lacking, lacking
from projections.release_inclusion.messages.references import Names
from projections.release_inclusion.ports import Port, open_ports, port_of
from projections.release_inclusion.queries import paths_of
from projections.release_inclusion.view import KnownRelease
from projections.repositories.queries import former_names
from services.answers.releases.context import ReleaseContext, ResolvedQuestion
from services.answers.releases.explaining import VerdictExplainer
from services.answers.releases.lacking import numbers_of
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
    twins: tuple[int, ...] = ()
    """Requests of other branches whose change is told here, under this number."""


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
    lacks: Lacking
    lacking_attributes: Mapping[int, Attributes]
    """Of the requests that it lacks something about."""


def release_page(
    context: ReleaseContext, name: str, *, against: str | None = None, shown: Filter | None = None
) -> ReleasePage:
    """Answer for one tag or alias; `against` is its predecessor unless it is named."""
    subject = resolve(context, name)
    release = release_of(context, subject)
    other_subject = _against(context, release, against)
    shown = shown or Filter()
    page_contents, hidden = _filtered(
        context, contents(context.view, release, _of(other_subject)), shown
    )
    rows = _Rows(context, subject, other_subject, context.attributes(_numbers(page_contents)))
    lacks = (
        Lacking()
        if shown.path or shown.label
        else lacking(context.view, release, _of(other_subject))
    )
    return ReleasePage(
        asked=context.asked,
        subject=subject,
        release=release,
        against=other_subject,
        cut_at=_cut_at(context, subject),
        shown=shown,
        lists={name: tuple(map(rows.of, getattr(page_contents, name))) for name in SECTIONS},
        carriers=tuple(map(rows.carrier, page_contents.carriers)),
        unattributed=_plain(context, page_contents.unattributed),
        ports=_ports(context, [v.number for v in (*page_contents.new, *page_contents.partly)]),
        missing=page_contents.missing,
        notes=(*subject.notes, *_notes(other_subject, page_contents), *hidden),
        lacks=lacks,
        lacking_attributes=context.attributes(sorted(numbers_of(lacks))),
    )


def release_of(context: ReleaseContext, subject: Subject) -> KnownRelease:
    """Return the release that a name means; raise InvalidQuestion for a branch, NotFound where its
    commit is not recorded.
    """
    if subject.release is None:
        raise InvalidQuestion(
            f"{subject.name} is a branch and no release; branches move, so name a tag"
        )
    if subject.commit not in context.view.history.graph:
        raise NotFound(
            f"the commit of {subject.name} is not recorded yet; let the mirror fetch, or run "
            "`shipledger import git` again"
        )
    return subject.release


def _against(context: ReleaseContext, release: KnownRelease, name: str | None) -> Subject | None:
    if name is None:
        before = context.view.predecessor(release)
        recorded = before is not None and before.commit in context.view.history.graph
        return of_release(context, before) if before and recorded else None
    subject = resolve(context, name)
    release_of(context, subject)
    return subject


def _of(subject: Subject | None) -> KnownRelease | None:
    return None if subject is None else subject.release


def _notes(against: Subject | None, page_contents: ReleaseContents) -> Iterable[str]:
    if against is None:
        yield "Nothing comes before it in its family: everything that it holds counts as new."
    elif against.commit == page_contents.release.commit:
        yield f"It is the same commit as {against.name}: nothing is new."
    if page_contents.missing:
        yield (
            f"Commits are missing from the recorded history ({len(page_contents.missing)}), so the "
            "lists may be incomplete; import the whole history."
        )


# --- filters ---------------------------------------------------------------------------------


def _filtered(
    context: ReleaseContext, page_contents: ReleaseContents, shown: Filter
) -> tuple[ReleaseContents, list[str]]:
    """Return what passes the filter, and what has to be said of it."""
    notes = []
    if shown.label is not None:
        attributes = context.attributes(_numbers(page_contents))
        wanted = shown.label

        def has_label(number: int) -> bool:
            known = attributes.get(number)
            return known is not None and wanted in known.labels

        page_contents = _keep(page_contents, has_label)
        notes.append("Commits without a request have no labels, and are all listed.")
    if shown.path is not None:
        touched, unread = _touching(context, page_contents, shown.path)
        carriers = context.view.history.carriers
        page_contents = _keep(
            page_contents, lambda n: any(c.sha in touched for c in carriers.of(n))
        )
        page_contents = replace(
            page_contents, unattributed=tuple(s for s in page_contents.unattributed if s in touched)
        )
        if unread:
            notes.append(f"The paths of {unread} commits were not read; those are kept.")
    return page_contents, notes


def _numbers(page_contents: ReleaseContents) -> set[int]:
    listed = {v.number for section in SECTIONS for v in getattr(page_contents, section)}
    return listed | {*page_contents.carriers}


def _keep(page_contents: ReleaseContents, holds: Callable[[int], bool]) -> ReleaseContents:
    sections: dict[str, Any] = {
        section: tuple(v for v in getattr(page_contents, section) if holds(v.number))
        for section in SECTIONS
    }
    return replace(page_contents, carriers=tuple(filter(holds, page_contents.carriers)), **sections)


def _touching(
    context: ReleaseContext, page_contents: ReleaseContents, pattern: str
) -> tuple[set[str], int]:
    """Return the commits with such a path, with those whose paths nobody read, and their count."""
    carriers, asked = context.view.history.carriers, context.asked
    shas = {c.sha for number in _numbers(page_contents) for c in carriers.of(number)}
    shas |= {*page_contents.unattributed}
    paths = paths_of(context.snapshot, asked.repo, shas, asked.known_at)
    touching = {
        sha
        for sha, commit_paths in paths.items()
        if any(_matches(p, pattern) for p in commit_paths)
    }
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
        context: ReleaseContext,
        subject: Subject,
        against: Subject | None,
        attributes: Mapping[int, Attributes],
    ) -> None:
        self._view = context.view
        self._subject = subject
        self._against = against.name if against else None
        self._attributes = attributes
        self._words = VerdictExplainer(context)

    def of(self, verdict: Verdict) -> Row:
        release = self._subject.release
        return Row(
            number=verdict.number,
            attributes=self._attributes.get(verdict.number),
            verdict=verdict,
            because=self._words.of(self._subject, verdict, self._against),
            first=first_shipped(self._view, verdict.number, release) if release else None,
            twins=twins_of(self._view.history, verdict.number),
        )

    def carrier(self, number: int) -> Row:
        brings = self._view.history.carriers.carried_by(number)
        return Row(number=number, attributes=self._attributes.get(number), brings=brings)


def _plain(context: ReleaseContext, shas: tuple[str, ...]) -> tuple[PlainCommit, ...]:
    commits = context.commits(shas)
    return tuple(
        PlainCommit(
            sha=sha,
            subject=commits[sha].commit.subject,
            at=commits[sha].commit.committed_at,
            record_id=commits[sha].record_id,
        )
        for sha in shas
    )


def _cut_at(context: ReleaseContext, subject: Subject) -> Instant | None:
    point = subject.cut and subject.cut.point
    return context.commits([point])[point].commit.committed_at if point else None


def _ports(context: ReleaseContext, numbers: Iterable[int]) -> tuple[Port, ...]:
    view, asked = context.view, context.asked
    tip = next(iter(view.history.branches.values()), None)
    if tip is None:
        return ()
    bit = view.history.reach.bit(tip)
    away = [number for number in numbers if not view.matrix.of(number).present & bit]
    names = Names(former_names(context.snapshot, asked.repo, asked.known_at))
    waiting = open_ports(view.history, names) if away else {}
    ports = (port_of(view.history, number, waiting) for number in away)
    return tuple(port for port in ports if port is not None)
