"""From queries to one report, at one (T, K)."""

from datetime import date

import msgspec

from events.errors import InvalidQuestion
from events.identity import RepositoryKey
from events.instant import Instant, format_instant, to_datetime
from projections.curation.queries import decisions
from projections.curation.resolving import active_decisions
from projections.period_ledger.counting import LedgerEntry, delivered
from projections.period_ledger.excluding import Exclusions, exclusions
from projections.period_ledger.exclusions import decided_classes
from projections.period_ledger.files.queries import sights_of
from projections.period_ledger.quality import Doubt, Quality
from projections.period_ledger.queries import Ledger, ledger
from projections.period_ledger.reconciliation import Kept, keep
from projections.pull_requests.attributes import Attributes, attributes
from projections.release_inclusion.authors import with_commit_authors
from projections.release_inclusion.heads import RequestHead, unproven_heads
from projections.release_inclusion.view import HistoryCache
from projections.repositories.queries import find, named_at
from projections.store.snapshot import Snapshot, Watermark
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.places import Places, places
from services.runtime.clock import zone_of


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a renderer prints. Instants are UTC; `end` is where the period was cut."""

    repo: RepositoryKey
    full_name: str
    default_branch: str
    period: Period
    end: Instant
    as_of: Instant
    known_at: Instant
    caught_up_at: Instant
    settled: bool
    """Nothing recorded later can change this answer, asked again with this known_at."""
    stamped_ahead: bool = False
    """Records are stamped later than the reader's clock; see `Watermark.stamped_ahead`."""
    ledger: Ledger
    requests: dict[int, Attributes]
    exclusions: Exclusions
    """The class of each request, by rules or decided by persons, and the counts without the
    excluded ones."""
    reconciliation: Kept
    places: Places | None = None
    """Releases and branches; None where no git history is recorded, or none was asked for."""
    candidates: tuple[RequestHead, ...] = ()
    """Requests that may have been in progress: their heads are all that is recorded of them."""

    @property
    def is_cut(self) -> bool:
        """Whether the period was not over at T, or not known to its end at K."""
        return self.end < self.period.end

    @property
    def through(self) -> date | None:
        """The last local day of which anything is known, where that is not all of the period."""
        zone = zone_of(self.period.zone)
        day = to_datetime(self.ledger.known_until - 1).astimezone(zone).date()
        return day if self.is_cut or day < self.period.last_day else None

    @property
    def counts(self) -> dict[str, int | None]:
        """The counts of MODEL.md 4; None where the quality is unknown."""
        return self.ledger.counts

    @property
    def quality(self) -> dict[str, Quality]:
        """The quality of each count."""
        return self.ledger.quality

    @property
    def coverage(self) -> tuple[Doubt, ...]:
        """What is known to be missing."""
        return self.ledger.doubts

    @property
    def entries(self) -> dict[str, tuple[LedgerEntry, ...]]:
        """The ledger rows behind each count."""
        return self.ledger.entries


def assemble(
    snapshot: Snapshot, question: ReportQuestion, histories: HistoryCache | None = None
) -> Report:
    """Answer a question; raise NotFound or InvalidQuestion with what to ask instead.

    With `histories` the report also tells what was released, and where each request is.
    """
    repo = find(snapshot, question.full_name).repo
    watermark = snapshot.watermark(repo)
    known_at = watermark.known_at(question.known_at)
    name = named_at(snapshot, repo, known_at)
    end = cut(question.period, question.as_of, question.known_at, watermark)
    roles = question.roles.with_default(name.default_branch)
    period_ledger = ledger(snapshot, repo, question.period.start, end, known_at, roles)
    active = active_decisions(
        decisions(snapshot, repo, known_at),
        question.period.start,
        question.period.end,
        days=question.period.days,
    )
    numbers = {entry.number for entries in period_ledger.entries.values() for entry in entries}
    numbers |= {entry.number for entry in period_ledger.undated}
    sights = sights_of(snapshot, repo, numbers, known_at)
    classes = exclusions(
        *(snapshot, repo, period_ledger, known_at, question.rules),
        decided=decided_classes(active),
        sights=sights,
    )
    merged = [entry.number for entry in delivered(period_ledger.entries)]
    # one moment for all that is told: a T behind the period's end changes nothing
    as_of = end if question.as_of is None else min(question.as_of, end)
    shown = {number: attributes(number, seen, end - 1) for number, seen in sights.requests.items()}
    return Report(
        repo=repo,
        full_name=name.full_name,
        default_branch=name.default_branch,
        period=question.period,
        end=end,
        as_of=as_of,
        known_at=known_at,
        caught_up_at=watermark.caught_up_at,
        settled=watermark.settles(known_at) and end <= known_at,
        stamped_ahead=watermark.stamped_ahead,
        ledger=period_ledger,
        requests=with_commit_authors(snapshot, repo, shown, known_at, sights.commits),
        exclusions=classes,
        reconciliation=keep(merged, classes.classes),
        candidates=tuple(unproven_heads(snapshot, repo, question.period.start, end, known_at)),
        places=places(snapshot, repo, question, numbers, end, known_at, histories),
    )


def cut(
    period: Period, as_of: Instant | None, known_at: Instant | None, watermark: Watermark
) -> Instant:
    """Return the end of a report: min(to, T + 1 µs, end of knowledge)."""
    knowledge = watermark.caught_up_at if known_at is None else known_at
    ends = [period.end, knowledge] + ([] if as_of is None else [as_of + 1])
    end = min(ends)
    if end <= period.start:
        raise InvalidQuestion(
            f"the period starts at {format_instant(period.start)}, and at the moment asked for "
            f"nothing later than {format_instant(end)} counts or is known; ask for an earlier "
            "period, or a later as_of and known_at"
        )
    return end
