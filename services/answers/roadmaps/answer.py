"""Answers about roadmaps for programs. Times are RFC 3339 in UTC."""

from collections.abc import Iterable

import msgspec

from projections.roadmap_status.checked import Checked, checked
from projections.roadmap_status.context import RoadmapView
from projections.roadmap_status.progress import ChangeLog, Point
from projections.roadmap_status.release_matrix import Row
from services.answers.releases.asked import Asked, asked_fields
from services.answers.reports.wording import rfc3339
from services.answers.roadmaps.asking import RoadmapAnswers
from services.answers.roadmaps.item_answer import (
    ItemAnswer,
    LandingAnswer,
    SubIssueAnswer,
    item_answer,
    landing_answer,
    sub_issue_answer,
)


class ListedRoadmap(msgspec.Struct, frozen=True, kw_only=True):
    """One roadmap, and how many editions its text had."""

    number: int
    title: str
    state: str | None
    editions: int


class RoadmapsAnswer(Asked, frozen=True, kw_only=True):
    """Which roadmaps there are."""

    roadmaps: tuple[ListedRoadmap, ...]


class EditionShown(msgspec.Struct, frozen=True, kw_only=True):
    """The edition of a roadmap that is answered for; `tested_on` is where "delivered" is tested."""

    number: int
    title: str
    edition_at: str | None
    edition_record: str
    edition_reconstructed: bool
    text_digest: str
    tested_on: str
    empty: bool


class CheckedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How many items can be held against facts, and how many drifts there are in these."""

    items: int
    checkable: int
    uncheckable: int
    drifts: int
    acknowledged: int


class CautionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the text that reads otherwise than it looks."""

    line: int
    about: str


class RoadmapAnswer(Asked, frozen=True, kw_only=True):
    """A roadmap with all its items."""

    roadmap: EditionShown
    checked: CheckedAnswer
    items: tuple[ItemAnswer, ...]
    sub_issues: tuple[SubIssueAnswer, ...]
    cautions: tuple[CautionAnswer, ...]


class RoadmapChange(msgspec.Struct, frozen=True, kw_only=True):
    """One change of a text."""

    id: str
    title: str
    kind: str
    before: str | None
    after: str | None


class ChangesAnswer(Asked, frozen=True, kw_only=True):
    """What changed between two moments."""

    from_edition: str | None
    to_edition: str | None
    editions: int
    changes: tuple[RoadmapChange, ...]


class PointAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A roadmap at one moment."""

    at: str | None
    items: int
    statuses: dict[str, int]
    claims: dict[str, int]


class SeriesAnswer(Asked, frozen=True, kw_only=True):
    """A roadmap at many moments."""

    points: tuple[PointAnswer, ...]


class MatrixRow(msgspec.Struct, frozen=True, kw_only=True):
    """One item by releases."""

    id: str
    title: str
    status: str
    landed: tuple[LandingAnswer, ...]
    first_release: str | None
    after_cut_of: str | None
    releases: dict[str, str]


class MatrixAnswer(Asked, frozen=True, kw_only=True):
    """Items by releases."""

    items: tuple[MatrixRow, ...]


def listing_answer(roadmaps: RoadmapAnswers) -> RoadmapsAnswer:
    """Return which roadmaps there are."""
    context = roadmaps.context
    return RoadmapsAnswer(
        **asked_fields(roadmaps.asked),
        roadmaps=tuple(
            ListedRoadmap(
                number=roadmap.number,
                title=roadmap.title,
                state=None if roadmap.state is None else roadmap.state.value,
                editions=len(context.walk(roadmap.number)),
            )
            for roadmap in context.roadmaps
        ),
    )


def roadmap_answer(
    roadmaps: RoadmapAnswers, view: RoadmapView, *, only_drift: bool = False
) -> RoadmapAnswer:
    """Return a roadmap with all its items, or with those alone that differ from the facts."""
    version = view.edition.version
    items = [item for item in view.items if item.drift or not only_drift]
    return RoadmapAnswer(
        **asked_fields(roadmaps.asked),
        roadmap=EditionShown(
            number=view.roadmap.number,
            title=version.title or view.roadmap.title,
            edition_at=rfc3339(version.at),
            edition_record=version.record_id,
            edition_reconstructed=version.reconstructed,
            text_digest=version.text,
            tested_on=roadmaps.context.drift_context.default,
            empty=view.edition.roadmap.empty,
        ),
        checked=_checked(checked(view.items)),
        items=tuple(item_answer(roadmaps.context, item) for item in items),
        sub_issues=tuple(map(sub_issue_answer, view.sub_issues)),
        cautions=tuple(
            CautionAnswer(line=caution.line, about=caution.about.value)
            for caution in view.edition.roadmap.cautions
        ),
    )


def _checked(counts: Checked) -> CheckedAnswer:
    return CheckedAnswer(
        items=counts.items,
        checkable=counts.checkable,
        uncheckable=counts.uncheckable,
        drifts=counts.drifts,
        acknowledged=counts.acknowledged,
    )


def changes_answer(roadmaps: RoadmapAnswers, log: ChangeLog) -> ChangesAnswer:
    """Return what changed between two moments."""
    before = log.before.version if log.before is not None else None
    return ChangesAnswer(
        **asked_fields(roadmaps.asked),
        from_edition=None if before is None else rfc3339(before.at),
        to_edition=rfc3339(log.after.version.at),
        editions=log.editions,
        changes=tuple(
            RoadmapChange(
                id=change.id,
                title=change.title,
                kind=change.kind.value,
                before=change.before or None,
                after=change.after or None,
            )
            for change in log.changes
        ),
    )


def series_answer(roadmaps: RoadmapAnswers, points: Iterable[Point]) -> SeriesAnswer:
    """Return a roadmap at many moments."""
    return SeriesAnswer(
        **asked_fields(roadmaps.asked),
        points=tuple(
            PointAnswer(
                at=rfc3339(point.at),
                items=point.items,
                statuses={kind.value: count for kind, count in sorted(point.statuses.items())},
                claims=dict(sorted(point.claims.items())),
            )
            for point in points
        ),
    )


def matrix_answer(roadmaps: RoadmapAnswers, rows: Iterable[Row]) -> MatrixAnswer:
    """Return items by releases."""
    return MatrixAnswer(
        **asked_fields(roadmaps.asked),
        items=tuple(
            MatrixRow(
                id=row.item.judged.id,
                title=row.item.judged.match.item.title,
                status=row.item.judged.status.kind.value,
                landed=tuple(map(landing_answer, row.landings)),
                first_release=row.first.tag if row.first is not None else None,
                after_cut_of=row.after.tag if row.after is not None else None,
                releases={holding.release.tag: holding.extent.value for holding in row.holdings},
            )
            for row in rows
        ),
    )
