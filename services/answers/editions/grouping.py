"""Which requests of an edition land one change, and which only may."""

from events.instant import Instant
from projections.period_ledger.change_groups.members import Pair
from projections.period_ledger.change_groups.queries import ChangeGroups, change_groups
from projections.period_ledger.counting import delivered
from projections.store.snapshot import Snapshot
from services.answers.editions.choices import Choices
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report


def moment(report: Report) -> Instant:
    """Return the T at which an edition tells states: just before the end of what it counts."""
    return min(report.end - 1, report.as_of)


def numbers_in_question(report: Report) -> tuple[set[int], set[int]]:
    """Return those merged or landed in the period, and those open at its end and active in it."""
    merged = {entry.number for entry in delivered(report.entries)}
    active = {entry.number for entry in report.entries["active_and_open"]}
    return merged, active - merged


def groups_of(
    snapshot: Snapshot, question: ReportQuestion, report: Report, choices: Choices
) -> ChangeGroups:
    """Group the requests that an edition tells with all others of the same changes."""
    merged, active = numbers_in_question(report)
    return change_groups(
        snapshot,
        report.repo,
        merged | active,
        moment(report),
        report.known_at,
        roles=question.roles.with_default(report.default_branch),
        carriers=report.places.picks if report.places else (),
        decisions=choices.twins,
    )


def uncertain_pairs(report: Report, groups: ChangeGroups) -> tuple[Pair, ...]:
    """Return the pairs of which a person has to say whether they are one change, the most likely
    first: those with a request of the edition.
    """
    merged, active = numbers_in_question(report)
    in_question = merged | active
    return tuple(
        pair for pair in groups.grouping.review if in_question & {pair.number, pair.origin}
    )
