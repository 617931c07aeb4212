"""Requests of a period that may land one change: what a person has to say of them."""

from collections.abc import Mapping

import msgspec

from events.errors import NotFound
from events.instant import Instant
from projections.curation.queries import decisions
from projections.period_ledger.change_groups.members import Member, Pair
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.asking import edition_question
from services.answers.editions.choices import choices
from services.answers.editions.grouping import groups_of, uncertain_pairs
from services.answers.questions.period import Period
from services.answers.reports.assemble import assemble
from services.config.settings import Settings


class PairsInDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs that wait, the most likely first, and the requests that they are of."""

    pairs: tuple[Pair, ...]
    members: Mapping[int, Member]

    def named(self, name: str) -> Pair:
        """Return a pair by its id; raise NotFound where none waits under it."""
        for one in self.pairs:
            if one.id == name:
                return one
        raise NotFound(f"no pair {name} waits in this period; list them without an ID")


def pairs_in_doubt(
    snapshot: Snapshot,
    settings: Settings,
    full_name: str,
    period: Period,
    histories: HistoryCache,
    *,
    known_at: Instant | None = None,
) -> PairsInDoubt:
    """Return the requests of a period that may be one change with another one."""
    question = edition_question(settings, full_name, period, known_at=known_at)
    report = assemble(snapshot, question.report, histories)
    held = choices(
        decisions(snapshot, report.repo, report.known_at), report.period.start, report.period.end
    )
    groups = groups_of(snapshot, question.report, report, held)
    return PairsInDoubt(pairs=uncertain_pairs(report, groups), members=groups.members)
