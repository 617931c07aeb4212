"""What `shipledger.toml` may say of the themes of one repository. No I/O."""

import msgspec

from projections.period_ledger.themes import Bounds, ThemeRule


class ThemeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules in their order, and the bounds of what is clustered."""

    rules: tuple[ThemeRule, ...] = ()
    cap: int = 12
    smallest: int = 3

    @property
    def bounds(self) -> Bounds:
        """The bounds."""
        return Bounds(cap=self.cap, smallest=self.smallest)

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, for what cannot hold."""
        for name, value in (("cap", self.cap), ("smallest", self.smallest)):
            if value < 1:
                raise ValueError(f"{name}: {value} is not 1 or more")
        seen: set[str] = set()
        for nth, rule in enumerate(self.rules):
            try:
                rule.check()
            except ValueError as error:
                raise ValueError(f"rules[{nth}]: {error}") from error
            if rule.name in seen:
                raise ValueError(f"rules[{nth}]: {rule.name} is there twice")
            seen.add(rule.name)
