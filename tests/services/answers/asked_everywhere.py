"""All that is told of each request of a period, asked of every answer in one snapshot."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from events.errors import NotFound
from events.facts.roadmap import RoadmapImported
from events.identity import RepositoryKey
from events.instant import Instant
from events.record import Record
from events.sources.authored import author
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from projections.roadmap_status.context import ViewedItem
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.status.parts import Part
from projections.store.snapshot import Snapshot
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.editions.why import PeriodWhy, why_in
from services.answers.questions.period import Period
from services.answers.questions.question import EditionQuestion, ReportQuestion, RepositoryQuestion
from services.answers.releases.context import ReleaseContext, open_releases
from services.answers.releases.inclusion import Everywhere, Inclusion, everywhere
from services.answers.reports.assemble import Report
from services.answers.reports.request_life import RequestLife, request_life
from services.answers.roadmaps.asking import RoadmapQuestion, convention, open_roadmaps
from services.answers.roadmaps.item_answer import ItemAnswer, item_answer
from services.config.repository import ThemeSettings

#: The issue whose text links each request in an item of its own.
ROADMAP: Final = 900_001
_LINKED: Final = re.compile(r"\bItem ([0-9]+):")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What each answer says of one request; None where it says that nothing is recorded."""

    number: int
    life: RequestLife | None
    why: PeriodWhy | None
    where: Everywhere | None
    item: ItemAnswer | None
    """The item of a roadmap that links the request alone."""
    viewed: ViewedItem | None

    @property
    def part(self) -> Part | None:
        """The link of that item."""
        return self.viewed.judged.parts[0] if self.viewed and self.viewed.judged.parts else None

    @property
    def places(self) -> Mapping[str, Inclusion]:
        """The verdicts by ref."""
        if self.where is None:
            return {}
        answers = (*self.where.branches, *self.where.releases)
        return {answer.subject.ref: answer for answer in answers}

    def named(self, kind: str, *outcomes: str) -> set[str]:
        """Return the branches or tags of which `included` says so."""
        return {
            answer.subject.name
            for answer in self.places.values()
            if answer.subject.kind == kind and answer.verdict.outcome in outcomes
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answers of one repository about one period, all at the moment up to which it counts."""

    report: Report
    edition: Edition
    releases: ReleaseContext
    requests: Mapping[int, Told]

    @property
    def moment(self) -> Instant:
        """The T of all answers."""
        return self.releases.asked.as_of


def roadmap_linking(repo: RepositoryKey, numbers: Iterable[int], at: Instant) -> Record:
    """Return the record of a roadmap with an item for each number."""
    lines = (f"- Item {number}: #{number}" for number in sorted(numbers))
    fact = RoadmapImported(
        number=ROADMAP, at=at, body="## Work\n\n" + "\n".join(lines) + "\n", title="Roadmap: all"
    )
    return author(repo, fact, time=at)


@contextmanager
def asked_everywhere(
    model: ReadModel,
    full_name: str,
    period: Period,
    numbers: Iterable[int] | None = None,
    *,
    histories: HistoryCache | None = None,
    smallest: int = 1,
    as_of: Instant | None = None,
    known_at: Instant | None = None,
) -> Iterator[Asked]:
    """Ask about requests (None: all that the roadmap links) inside one snapshot."""
    histories = histories or HistoryCache()
    question = EditionQuestion(
        report=ReportQuestion(full_name=full_name, period=period, as_of=as_of, known_at=known_at),
        themes=ThemeSettings(smallest=smallest),
    )
    with model.snapshot() as snapshot:
        edition = assemble_edition(snapshot, question, histories)
        report = edition.report
        at = min(report.end - 1, report.known_at) if as_of is None else as_of
        same = RepositoryQuestion(full_name=full_name, as_of=at, known_at=report.known_at)
        context = open_releases(snapshot, same, histories)
        items = dict(_items(snapshot, same, histories))
        wanted = items if numbers is None else numbers
        yield Asked(
            report=report,
            edition=edition,
            releases=context,
            requests={
                number: _told(snapshot, edition, context, number, items.get(number))
                for number in sorted(wanted)
            },
        )


def _items(
    snapshot: Snapshot, question: RepositoryQuestion, histories: HistoryCache
) -> Iterator[tuple[int, tuple[ItemAnswer, ViewedItem]]]:
    roadmaps = open_roadmaps(
        snapshot,
        RoadmapQuestion(releases=question, convention=convention((), question.roles)),
        histories,
        EditionCache(),
    )
    for viewed in roadmaps.context.view_of(ROADMAP).items:
        linked = _LINKED.search(viewed.judged.match.item.text)
        assert linked is not None, viewed.judged.match.item
        yield int(linked[1]), (item_answer(roadmaps.context, viewed), viewed)


def _told(
    snapshot: Snapshot,
    edition: Edition,
    context: ReleaseContext,
    number: int,
    item: tuple[ItemAnswer, ViewedItem] | None,
) -> Told:
    asked = context.asked
    try:
        life = request_life(snapshot, asked.full_name, number, asked.as_of, asked.known_at)
    except NotFound:
        life = None
    try:
        why = why_in(snapshot, edition, number)
    except NotFound:
        why = None
    try:
        where = everywhere(context, number)
    except NotFound:
        where = None
    item_told, viewed = item or (None, None)
    return Told(number=number, life=life, why=why, where=where, item=item_told, viewed=viewed)
