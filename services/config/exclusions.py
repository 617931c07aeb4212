"""What `shipledger.toml` may say of the exclusion classes of one repository. No I/O."""

import msgspec

from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import Judge, Rule, RuleSet


class ExclusionSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which paths are CI and which are tests, as globs; a list left out keeps its defaults."""

    ci: tuple[str, ...] | None = None
    test: tuple[str, ...] | None = None

    def rules(self) -> RuleSet:
        """Return the rules; a configured glob is a rule of its own name."""
        return RuleSet(
            ci=DEFAULT_RULES.ci if self.ci is None else _each(self.ci),
            test=DEFAULT_RULES.test if self.test is None else _each(self.test),
        )

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, where a glob is wrong."""
        for name, globs in (("ci", self.ci), ("test", self.test)):
            try:
                Judge(RuleSet(ci=_each(globs or ()), test=()))
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None


def _each(globs: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(Rule(name=glob, globs=(glob,)) for glob in globs)
