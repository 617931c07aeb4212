"""What a report is asked for."""

import msgspec

from events.instant import Instant
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import RuleSet
from projections.repositories.branch_roles import BranchRoles
from services.answers.reports.period import Period


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One repository, one period, and the two clocks (None: now, and everything known).

    `full_name` is `owner/name` or a repository key. `as_of` is a point: after all events up to and
    with it; `known_at` leaves out what was recorded later.
    """

    full_name: str
    period: Period
    as_of: Instant | None = None
    known_at: Instant | None = None
    roles: BranchRoles = BranchRoles()
    families: tuple[str, ...] = ()
    aliases: dict[str, str] = {}
    """What is configured about releases."""
    rules: RuleSet = DEFAULT_RULES
    """By which requests are left out of the narrative."""
