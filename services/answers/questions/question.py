"""What is asked, read and complete: who, when on both clocks, and what is configured for it."""

from typing import Final, Literal, TypeAlias

import msgspec

from events.instant import Instant
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import RuleSet
from projections.release_inclusion.versions import Scheme
from projections.repositories.branch_roles import BranchRoles
from services.answers.questions.author import AUTHOR
from services.answers.questions.period import Period
from services.config.repository import ThemeSettings

Stage: TypeAlias = Literal["", "through", "final"]
"""What a title claims of its end."""
Shape: TypeAlias = Literal["seed", "inline"]
SHAPES: Final[tuple[Shape, ...]] = ("seed", "inline")


class RepositoryQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One repository and the two clocks (None: now, and everything known), with what is configured.

    `full_name` is `owner/name` or a repository key. `as_of` is a point: after all events up to and
    with it; `known_at` leaves out what was recorded later. `families`, `aliases` and `schemes` are
    what is configured about releases.
    """

    full_name: str
    as_of: Instant | None = None
    known_at: Instant | None = None
    roles: BranchRoles = BranchRoles()
    families: tuple[str, ...] = ()
    aliases: dict[str, str] = {}
    schemes: dict[str, Scheme] = {}


class ReportQuestion(RepositoryQuestion, frozen=True, kw_only=True):
    """The ledger of one period. `rules`: by which requests are left out of the narrative."""

    period: Period
    rules: RuleSet = DEFAULT_RULES


class EditionQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A report's question, how its requests are grouped, and what the title claims.

    `stage` `final` claims that nothing can be missing, which is proven or refused. A period that
    is not over, or not known to its end, is told as `through` its last day, whatever is asked.
    """

    report: ReportQuestion
    themes: ThemeSettings = ThemeSettings()
    stage: Stage = ""
    label: str = ""
    author: str = AUTHOR
    releases: tuple[str, str] | None = None
    """Tell what the second of these (tags or aliases) brings against the first, and no period."""
    regroup: bool = False
    """Make the themes anew from all changes, whatever is recorded of them."""
