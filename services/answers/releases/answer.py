"""Answers about releases for programs. Times are RFC 3339 in UTC."""

from typing import Any

import msgspec

from services.answers.releases.asked import Asked, asked_fields
from services.answers.releases.filters import Folder
from services.answers.releases.inclusion_answer import (
    CarrierAnswer,
    PortAnswer,
    carrier_answers,
    port_answer,
)
from services.answers.releases.lacking import LackingAnswer, lacking_answer
from services.answers.releases.listing import ListedFamily, ListedRelease, Listing
from services.answers.releases.release_page import PlainCommit, ReleasePage, Row
from services.answers.releases.subjects import Subject
from services.answers.reports.wording import commit_author, rfc3339


class SubjectAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A tag as it stood at T."""

    tag: str
    ref: str
    aliases: tuple[str, ...]
    commit: str
    at: str | None
    dated_by: str
    record: str
    annotated: bool | None
    family: str | None
    scheme: str | None
    final: bool | None
    name: str | None
    branch: str | None
    cut: str | None


class ListedAnswer(SubjectAnswer, frozen=True, kw_only=True):
    """A tag with what it brings; None where its commit is not recorded, and `new` also where none
    of its new commits names a request.
    """

    against: str | None
    new: int | None
    removed: int | None
    commits_without_number: int | None
    notes: tuple[str, ...]


class FamilyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Tags of one form, and the scheme by which their versions are read."""

    family: str
    scheme: str
    configured: bool
    tags: int
    newest: str


class NotUnderstoodAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A tag that is no version of a family; `against` is the nearest tag among its ancestors."""

    tag: str
    against: str | None


class ListingAnswer(Asked, frozen=True, kw_only=True):
    """All releases; `new` and `removed` are counts against the release before."""

    notes: tuple[str, ...]
    releases: tuple[ListedAnswer, ...]
    families: tuple[FamilyAnswer, ...]
    not_understood: tuple[NotUnderstoodAnswer, ...]


class CutSubjectAnswer(SubjectAnswer, frozen=True, kw_only=True):
    """A tag, and when its branch was cut."""

    cut_at: str | None


class FilterAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of a release alone."""

    path: str | None
    label: str | None


class RowAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a release, with what decided it."""

    number: int
    title: str | None
    author: str | None
    commit_author: str | msgspec.UnsetType = msgspec.UNSET
    labels: tuple[str, ...]
    verdict: str
    how: str | None
    by: tuple[int, ...]
    because: str
    first_shipped_in: str | None
    twins: tuple[int, ...]
    """Requests of other branches whose change is told here, under this number."""
    carriers: tuple[CarrierAnswer, ...]
    evidence: tuple[str, ...]


class BringingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A request that only brought others."""

    number: int
    title: str | None
    brings: tuple[int, ...]


class CommitAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A commit without a request."""

    sha: str
    subject: str
    at: str | None
    record: str


class FolderAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The folder of a package, and the listed requests that touch it: they stand first."""

    path: str
    numbers: tuple[int, ...]


class PageAnswer(Asked, frozen=True, kw_only=True):
    """One release: what it brings, lacks and cannot tell."""

    release: CutSubjectAnswer
    against: str | None
    filter: FilterAnswer
    folder: FolderAnswer | None
    complete: bool
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    counts: dict[str, int]
    new: tuple[RowAnswer, ...]
    removed: tuple[RowAnswer, ...]
    reverted: tuple[RowAnswer, ...]
    partly: tuple[RowAnswer, ...]
    undetermined: tuple[RowAnswer, ...]
    carriers: tuple[BringingAnswer, ...]
    unattributed: tuple[CommitAnswer, ...]
    ports: tuple[PortAnswer | None, ...]
    lacking: LackingAnswer


def listing_answer(listing: Listing) -> ListingAnswer:
    """Return all releases."""
    return ListingAnswer(
        **asked_fields(listing.asked),
        notes=listing.notes,
        releases=tuple(map(_listed, listing.releases)),
        families=tuple(map(_family, listing.families)),
        not_understood=tuple(
            NotUnderstoodAnswer(tag=listed.tag, against=listed.against)
            for listed in map(_listed, listing.not_understood)
        ),
    )


def page_answer(page: ReleasePage) -> PageAnswer:
    """Return one release."""
    subject = msgspec.structs.asdict(subject_answer(page.subject))
    lists: dict[str, Any] = {name: tuple(map(row_answer, page.lists[name])) for name in page.lists}
    return PageAnswer(
        **asked_fields(page.asked),
        release=CutSubjectAnswer(**subject, cut_at=rfc3339(page.cut_at)),
        against=page.against.name if page.against else None,
        filter=FilterAnswer(path=page.shown.path, label=page.shown.label),
        folder=_folder(page.folder),
        complete=not page.missing,
        missing=page.missing,
        notes=page.notes,
        counts=_counts(page),
        **lists,
        carriers=tuple(map(bringing_answer, page.carriers)),
        unattributed=tuple(map(commit_answer, page.unattributed)),
        ports=tuple(map(port_answer, page.ports)),
        lacking=lacking_answer(page.lacks, page.lacking_attributes),
    )


def _folder(folder: Folder | None) -> FolderAnswer | None:
    if folder is None:
        return None
    return FolderAnswer(path=folder.path, numbers=tuple(sorted(folder.numbers)))


def subject_answer(subject: Subject) -> SubjectAnswer:
    """Return a tag as it stood at T."""
    release = subject.release
    placed = release.release if release else None
    return SubjectAnswer(
        tag=subject.name,
        ref=subject.ref,
        aliases=release.aliases if release else (),
        commit=subject.commit,
        at=rfc3339(subject.at),
        dated_by=subject.evidence,
        record=subject.record_id,
        annotated=release.annotated if release else None,
        family=placed.family if placed else None,
        scheme=placed.scheme.value if placed else None,
        final=placed.final if placed else None,
        name=release.published.name if release and release.published else None,
        branch=subject.cut.branch if subject.cut else None,
        cut=subject.cut.point if subject.cut else None,
    )


def row_answer(row: Row) -> RowAnswer:
    """Return one request of a release."""
    verdict, attributes = row.verdict, row.attributes
    assert verdict is not None
    return RowAnswer(
        number=row.number,
        title=attributes.title if attributes else None,
        author=attributes.author if attributes else None,
        commit_author=commit_author(attributes),
        labels=tuple(attributes.labels) if attributes else (),
        verdict=verdict.outcome,
        how=verdict.how,
        by=verdict.by,
        because=row.because,
        first_shipped_in=row.first,
        twins=row.twins,
        carriers=carrier_answers(verdict.carriers),
        evidence=verdict.evidence,
    )


def bringing_answer(row: Row) -> BringingAnswer:
    """Return a request that only brought others."""
    attributes = row.attributes
    return BringingAnswer(
        number=row.number, title=attributes.title if attributes else None, brings=row.brings
    )


def commit_answer(commit: PlainCommit) -> CommitAnswer:
    """Return a commit without a request."""
    return CommitAnswer(
        sha=commit.sha, subject=commit.subject, at=rfc3339(commit.at), record=commit.record_id
    )


def _listed(release: ListedRelease) -> ListedAnswer:
    counts = release.counts
    against = counts.against if counts else None
    return ListedAnswer(
        **msgspec.structs.asdict(subject_answer(release.subject)),
        against=against.tag if against else None,
        new=counts.new_known if counts else None,
        removed=counts.removed if counts else None,
        commits_without_number=counts.unattributed if counts else None,
        notes=release.subject.notes,
    )


def _family(family: ListedFamily) -> FamilyAnswer:
    return FamilyAnswer(
        family=family.pattern,
        scheme=family.scheme.value,
        configured=family.configured,
        tags=family.tags,
        newest=family.newest,
    )


def _counts(page: ReleasePage) -> dict[str, int]:
    """Return how long each list of a page is."""
    return {
        **{name: len(rows) for name, rows in page.lists.items()},
        "carriers": len(page.carriers),
        "unattributed": len(page.unattributed),
    }
