"""Release editions for programs: the two releases, and what is told in every language."""

from typing import Any

import msgspec

from services.answers.editions.answer import (
    LineAnswer,
    NoteAnswer,
    NotToldAnswer,
    PairAnswer,
    ThemeAnswer,
    ThemeChange,
    reconciliation_answer,
    told_fields,
)
from services.answers.editions.edition import Edition
from services.answers.editions.moves_answer import GroupingAnswer, ThemeMoveAnswer
from services.answers.editions.placing import Place
from services.answers.editions.release_content import DOUBTFUL, ReleaseContent
from services.answers.editions.releases.wording import heading, remarks
from services.answers.editions.words import LANGUAGES
from services.answers.releases.answer import (
    BringingAnswer,
    CommitAnswer,
    RowAnswer,
    SubjectAnswer,
    page_answer,
    row_answer,
    subject_answer,
)
from services.answers.releases.asked import Asked
from services.answers.releases.inclusion_answer import InclusionAnswer, PortAnswer
from services.answers.releases.release_page import Row
from services.answers.reports.answer import RepositoryAnswer
from services.answers.reports.classified_answer import (
    ClassifiedAnswer,
    DoubtfulAnswer,
    classified_answer,
)
from services.answers.reports.wording import rfc3339


class RelationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How the first release stands to the second one in the history."""

    first_is: str
    part_at: tuple[str, ...]
    only_in_first: int
    only_in_second: int


class ReleasesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The two releases; `asked` is how they were called."""

    first: SubjectAnswer
    second: SubjectAnswer
    asked: tuple[str, str]
    relation: RelationAnswer


class BroughtSum(msgspec.Struct, frozen=True, kw_only=True):
    """Where the brought requests went."""

    brought: int
    told: tuple[int, ...]
    twins: tuple[int, ...]
    excluded: dict[str, tuple[int, ...]]
    not_told: tuple[int, ...]


class BroughtAnswer(RowAnswer, frozen=True, kw_only=True):
    """A brought request, with what has to be said of how it came in, by language."""

    remarks: dict[str, tuple[str, ...]]


class ReleaseEditionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What one release brings against another one, and how it is told."""

    repository: RepositoryAnswer
    as_of: str | None
    known_at: str | None
    caught_up_at: str | None
    settled: bool
    releases: ReleasesAnswer
    complete: bool
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    counts: dict[str, int]
    quality: dict[str, str]
    rules: str
    exclusions: dict[str, int | None]
    excluded_requests: tuple[ClassifiedAnswer, ...]
    kept_without_proof: tuple[DoubtfulAnswer, ...]
    reconciliation: BroughtSum
    title: dict[str, str]
    stage: str | None
    overview: dict[str, LineAnswer]
    themes: tuple[ThemeAnswer, ...]
    left_over: dict[str, tuple[ThemeChange, ...]]
    not_told: tuple[NotToldAnswer, ...]
    gaps: dict[str, tuple[str, ...]]
    may_be_one_change: tuple[PairAnswer, ...]
    grouped_by: tuple[GroupingAnswer, ...]
    moves: tuple[ThemeMoveAnswer, ...]
    look_again: tuple[NoteAnswer, ...]
    stale_translations: tuple[NoteAnswer, ...]
    brought: tuple[BroughtAnswer, ...]
    not_plainly_delivered: dict[str, tuple[RowAnswer, ...]]
    carriers: tuple[BringingAnswer, ...]
    unattributed: tuple[CommitAnswer, ...]
    ports: tuple[PortAnswer | None, ...]


class ReleaseWhyAnswer(Asked, frozen=True, kw_only=True):
    """Why a request is told in the edition of a release, and where it is in both releases."""

    releases: tuple[str, str]
    number: int
    title: str | None
    told: bool | None
    part: str | None
    reason: str
    first: InclusionAnswer
    second: InclusionAnswer
    classified: ClassifiedAnswer | None
    rules: str
    edition: Place


def release_edition_answer(edition: Edition, content: ReleaseContent) -> ReleaseEditionAnswer:
    """Return a release edition."""
    report, page = edition.report, page_answer(content.page)
    exclusions = report.exclusions
    return ReleaseEditionAnswer(
        repository=page.repository,
        as_of=page.as_of,
        known_at=page.known_at,
        caught_up_at=rfc3339(report.caught_up_at),
        settled=page.settled,
        releases=_releases(content),
        complete=page.complete,
        missing=page.missing,
        notes=tuple(content.notes),
        counts=_counts(edition, content),
        quality={"brought": content.quality},
        rules=exclusions.digest,
        exclusions={kind: exclusions.total(kind) for kind in exclusions.table},
        excluded_requests=tuple(
            classified_answer(request)
            for request in exclusions.requests.values()
            if request.verdict.excluded
        ),
        kept_without_proof=tuple(
            DoubtfulAnswer(number=request.number, files=request.verdict.doubt)
            for request in exclusions.doubtful
        ),
        reconciliation=_sum(edition),
        title={language: heading(edition, content, language) for language in LANGUAGES},
        **told_fields(edition),
        brought=tuple(_brought(content, row) for row in content.rows.values()),
        not_plainly_delivered={
            name: tuple(map(row_answer, content.doubtful[name])) for name in DOUBTFUL
        },
        carriers=page.carriers,
        unattributed=page.unattributed,
        ports=page.ports,
    )


def _releases(content: ReleaseContent) -> ReleasesAnswer:
    relation = content.relation
    return ReleasesAnswer(
        first=subject_answer(content.first),
        second=subject_answer(content.second),
        asked=content.labels,
        relation=RelationAnswer(
            first_is=relation.kind,
            part_at=tuple(relation.bases),
            only_in_first=relation.only_first,
            only_in_second=relation.only_second,
        ),
    )


def _counts(edition: Edition, content: ReleaseContent) -> dict[str, int]:
    parts = edition.reconciliation
    return {
        **content.counts,
        "told": len(parts.told),
        "twins": len(parts.twins),
        "excluded": sum(map(len, parts.excluded.values())),
        "not_told": len(parts.not_told),
        "carriers": len(content.page.carriers),
        "unattributed": len(content.page.unattributed),
    }


def _sum(edition: Edition) -> BroughtSum:
    parts: dict[str, Any] = msgspec.structs.asdict(reconciliation_answer(edition.reconciliation))
    return BroughtSum(brought=parts.pop("merged"), **parts)


def _brought(content: ReleaseContent, row: Row) -> BroughtAnswer:
    texts = {str(language): remarks(content, row.number, language) for language in LANGUAGES}
    return BroughtAnswer(**msgspec.structs.asdict(row_answer(row)), remarks=texts)
