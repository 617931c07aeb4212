"""The report for programs: every count with its quality, rows and deciding records.

Times are RFC 3339 in UTC; a count is None where it is unknown.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from projections.period_ledger.exclusions import EXCLUDED
from projections.period_ledger.quality import Doubt
from services.answers.reports.assemble import Report
from services.answers.reports.candidates import CandidateAnswer, candidate_answer
from services.answers.reports.classified_answer import (
    BalanceAnswer,
    ClassifiedAnswer,
    DoubtfulAnswer,
    KeptAnswer,
    classified_answer,
    excluded_answers,
    kept_answer,
)
from services.answers.reports.coverage_summary import coverage_summary
from services.answers.reports.of_which import Parts, of_which
from services.answers.reports.searches import searches
from services.answers.reports.wording import commit_author, rfc3339


class RepositoryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Which repository was asked; `default_branch` None where no source showed it."""

    name: str
    key: str
    default_branch: str | None


class PeriodAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """[from, to) in the zone `tz`; `end` is where it was cut, if it was; `through` is the last
    local day of which anything is known, where that is not the whole period."""

    start: str | None
    to: str | None
    tz: str
    end: str | None
    cut: bool
    through: str | None


class BasisAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Of which requests the counts are; `rules` is the digest of the exclusion rules."""

    counts: str
    filtered: str
    excluded: tuple[str, ...]
    rules: str


class DoubtAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """What is known to be missing."""

    kind: str
    says: str
    start: str | None
    to: str | None
    numbers: tuple[int, ...]
    evidence: tuple[str, ...]


class ReleasedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A release that became visible in the period; counts are None where it is not recorded, and
    `new` also where none of its new commits names a request.
    """

    release: str
    aliases: tuple[str, ...]
    at: str | None
    dated_by: str
    against: str | None
    new: int | None
    removed: int | None
    commits_without_number: int | None
    record: str


class EntryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One request in one count, with the record that put it there."""

    number: int
    title: str | None
    author: str | None
    commit_author: str | msgspec.UnsetType = msgspec.UNSET
    author_is_bot: bool | None
    merged_by: str | None
    base: str | None
    at: str | None
    evidence: str
    record: str
    flags: tuple[str, ...]
    recognised_by: str | None
    commit: str | None
    """Of what a commit landed, or of a merge known from git alone: that commit."""
    branches: tuple[str, ...] | None
    releases: tuple[str, ...] | None
    places_certain: bool | None


Sum = TypeVar("Sum")


class LedgerAnswer(msgspec.Struct, Generic[Sum], frozen=True, kw_only=True):
    """The ledger of one period of one repository; `Sum`: where its merged requests went."""

    repository: RepositoryAnswer
    period: PeriodAnswer
    as_of: str | None
    known_at: str | None
    caught_up_at: str | None
    settled: bool
    stamped_ahead: bool | msgspec.UnsetType = msgspec.UNSET
    """Records are stamped later than `caught_up_at`: a clock was ahead, or reading is under way."""
    counts: dict[str, int | None]
    quality: dict[str, str]
    definitions: dict[str, str]
    basis: BasisAnswer
    filtered: dict[str, int | None]
    filtered_quality: dict[str, str]
    exclusions: dict[str, dict[str, int | None]]
    exclusions_quality: str
    excluded_requests: tuple[ClassifiedAnswer, ...]
    decided_requests: tuple[ClassifiedAnswer, ...]
    kept_without_proof: tuple[DoubtfulAnswer, ...]
    reconciliation: Sum
    searches: dict[str, tuple[str, ...]]
    by_base: dict[str, dict[str, int | None]]
    of_which: dict[str, Parts]
    events: dict[str, int | None]
    balance: BalanceAnswer
    coverage_summary: dict[str, str]
    coverage: tuple[DoubtAnswer, ...]
    released: tuple[ReleasedAnswer, ...] | None
    ledger: dict[str, tuple[EntryAnswer, ...]]
    undated: tuple[EntryAnswer, ...]
    candidates: tuple[CandidateAnswer, ...] | msgspec.UnsetType = msgspec.UNSET


class ReportAnswer(LedgerAnswer[KeptAnswer], frozen=True, kw_only=True):
    """A report: its merged requests are kept or excluded."""


def report_answer(report: Report) -> ReportAnswer:
    """Return a report for programs."""
    ledger, exclusions = report.ledger, report.exclusions
    return ReportAnswer(
        repository=RepositoryAnswer(
            name=report.full_name, key=report.repo, default_branch=report.default_branch or None
        ),
        period=PeriodAnswer(
            start=rfc3339(report.period.start),
            to=rfc3339(report.period.end),
            tz=report.period.zone,
            end=rfc3339(report.end),
            cut=report.is_cut,
            through=None if report.through is None else report.through.isoformat(),
        ),
        as_of=rfc3339(report.as_of),
        known_at=rfc3339(report.known_at),
        caught_up_at=rfc3339(report.caught_up_at),
        settled=report.settled,
        stamped_ahead=report.stamped_ahead or msgspec.UNSET,
        counts=report.counts,
        quality={**report.quality},
        definitions={**DEFINITIONS},
        basis=BasisAnswer(
            counts="raw", filtered="filtered", excluded=EXCLUDED, rules=exclusions.digest
        ),
        filtered={**exclusions.filtered},
        filtered_quality={**exclusions.bounds},
        exclusions={
            kind: {str(outcome): count for outcome, count in outcomes.items()}
            for kind, outcomes in exclusions.table.items()
        },
        exclusions_quality=exclusions.quality,
        excluded_requests=excluded_answers(exclusions),
        decided_requests=tuple(map(classified_answer, exclusions.decided)),
        kept_without_proof=tuple(
            DoubtfulAnswer(number=request.number, files=request.verdict.doubt)
            for request in exclusions.doubtful
        ),
        reconciliation=kept_answer(report.reconciliation),
        searches={
            name: searches(name, report.full_name, ledger.a, ledger.b) for name in DEFINITIONS
        },
        by_base={group: {**row} for group, row in ledger.by_base.items()},
        of_which=of_which(report),
        events={**ledger.events},
        balance=BalanceAnswer(
            difference=ledger.balance,
            balanced=None if ledger.balance is None else ledger.balance == 0,
        ),
        coverage_summary={
            language: coverage_summary(report, language) for language in ("en", "zh")
        },
        coverage=tuple(map(_doubt, report.coverage)),
        released=_released(report),
        ledger={name: _entries(report, entries) for name, entries in report.entries.items()},
        undated=_entries(report, ledger.undated),
        candidates=tuple(map(candidate_answer, report.candidates)) or msgspec.UNSET,
    )


def _entries(report: Report, entries: Iterable[LedgerEntry]) -> tuple[EntryAnswer, ...]:
    return tuple(_entry(report, entry) for entry in entries)


def _entry(report: Report, entry: LedgerEntry) -> EntryAnswer:
    attributes = report.requests.get(entry.number)
    placed = report.places.requests.get(entry.number) if report.places else None
    return EntryAnswer(
        number=entry.number,
        title=attributes.title if attributes else None,
        author=attributes.author if attributes else None,
        commit_author=commit_author(attributes),
        author_is_bot=attributes.author_is_bot if attributes else None,
        merged_by=attributes.merger if attributes else None,
        base=entry.base,
        at=rfc3339(entry.at),
        evidence=entry.evidence,
        record=entry.record_id,
        flags=tuple(entry.flags),
        recognised_by=attributes.recognised_by if attributes and entry.evidence == "git" else None,
        commit=attributes.landed_by if attributes and entry.evidence == "git" else None,
        branches=placed.branches if placed else None,
        releases=placed.releases if placed else None,
        places_certain=placed.certain if placed else None,
    )


def _released(report: Report) -> tuple[ReleasedAnswer, ...] | None:
    if report.places is None:
        return None
    return tuple(
        ReleasedAnswer(
            release=release.tag,
            aliases=release.aliases,
            at=rfc3339(release.at),
            dated_by=release.evidence,
            against=release.against,
            new=release.new,
            removed=release.removed,
            commits_without_number=release.unattributed,
            record=release.record_id,
        )
        for release in report.places.released
    )


def _doubt(doubt: Doubt) -> DoubtAnswer:
    return DoubtAnswer(
        kind=doubt.kind,
        says=doubt.says,
        start=rfc3339(doubt.start),
        to=rfc3339(doubt.end),
        numbers=tuple(doubt.numbers),
        evidence=tuple(doubt.evidence),
    )
