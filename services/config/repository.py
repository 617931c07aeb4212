"""What `shipledger.toml` may say of one repository. No I/O."""

import msgspec

from events.identity import DEFAULT_HOST, RepositoryKey, name_key, repository_key
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import Judge, Rule, RuleSet
from projections.period_ledger.themes import Bounds, ThemeRule
from projections.release_inclusion.releases import TagFamilies
from projections.release_inclusion.versions import Scheme
from projections.repositories.branch_roles import BranchRoles
from projections.roadmap_status.words.states import State
from services.config.mirror import MirrorSettings


class BranchSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which branches play which part, as globs; a part left out keeps its defaults."""

    main: tuple[str, ...] | None = None
    dev: tuple[str, ...] | None = None
    release: tuple[str, ...] | None = None

    def roles(self) -> BranchRoles:
        """Return the roles."""
        parts = {name: value for name, value in msgspec.structs.asdict(self).items() if value}
        return msgspec.structs.replace(BranchRoles(), **parts)

    @property
    def landing(self) -> tuple[str, ...]:
        """The branches into which requests are merged; empty where nothing is configured."""
        if not any(msgspec.structs.astuple(self)):
            return ()
        roles = self.roles()
        return (*roles.main, *roles.dev, *roles.release)


class ReleaseSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tags are releases, and what readers call them."""

    families: tuple[str, ...] = ()
    """Patterns with one `*` for the version (`core_v*`, `pkg/v*`), the first that matches holds;
    without any the tags themselves show them."""
    aliases: dict[str, str] = {}
    """Name -> tag. What a person decides by `shipledger release alias` comes before it."""
    schemes: dict[str, Scheme] = {}
    """Family -> how it writes versions; of a family that is left out, its tags show it."""

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, where something is wrong."""
        try:
            TagFamilies(self.families)
        except ValueError as error:
            raise ValueError(f"families: {error}") from None
        for name, tag in self.aliases.items():
            if not name.strip() or not tag.strip():
                raise ValueError(f"aliases: {name!r} = {tag!r}: neither may be empty")
        for pattern in self.schemes:
            if pattern.count("*") != 1 or (self.families and pattern not in self.families):
                raise ValueError(f"schemes: {pattern!r} is none of the families")


class RoadmapSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which issues are roadmaps, and what their words and marks mean.

    Several blocks add up: an issue that fits any of them is a roadmap, and all legends hold.
    """

    issues: tuple[int, ...] = ()
    label: str = ""
    title: str = ""
    """A part of the title, or a glob where it has a `*`."""
    legend: dict[str, str] = {}
    """Word or mark -> what it asserts; the document's own legend goes before it."""
    delivered_on: str = ""
    """The branch on which "delivered" without a branch is tested; else the default branch."""

    def __post_init__(self) -> None:
        """Raise ValueError, beginning with the name of the field, where something is wrong."""
        states = {state.value for state in State}
        for word, state in self.legend.items():
            if not word.strip() or state not in states:
                names = ", ".join(sorted(states))
                raise ValueError(f"legend: {word!r} = {state!r}: write one of {names}")
        if any(number < 1 for number in self.issues):
            raise ValueError("issues: numbers of issues are positive")


class ExclusionSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which paths are CI and which are tests, as globs; a list left out keeps its defaults."""

    ci: tuple[str, ...] | None = None
    test: tuple[str, ...] | None = None

    def rules(self) -> RuleSet:
        """Return the rules; a configured glob is a rule of its own name."""
        return RuleSet(
            ci=DEFAULT_RULES.ci if self.ci is None else _rules_of(self.ci),
            test=DEFAULT_RULES.test if self.test is None else _rules_of(self.test),
        )

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, where a glob is wrong."""
        for name, globs in (("ci", self.ci), ("test", self.test)):
            try:
                Judge(RuleSet(ci=_rules_of(globs or ()), test=()))
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None


def _rules_of(globs: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(Rule(name=glob, globs=(glob,)) for glob in globs)


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


class RepositorySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tracked repository."""

    name: str
    id: int | None = None
    host: str = DEFAULT_HOST
    zone: str | None = None
    secret_env: str | None = None
    """The environment variable with this repository's own webhook secrets; only what receives
    deliveries needs it to be set."""
    branches: BranchSettings = BranchSettings()
    mirror: MirrorSettings | None = None
    """Where its git history is fetched from; None: it is not mirrored."""
    releases: ReleaseSettings = ReleaseSettings()
    roadmaps: tuple[RoadmapSettings, ...] = ()
    exclusions: ExclusionSettings = ExclusionSettings()
    themes: ThemeSettings = ThemeSettings()

    @property
    def key(self) -> RepositoryKey:
        """The key, by id where it is configured, else by name."""
        return name_key(self.host, self.name) if self.id is None else self.key_of(self.id)

    def key_of(self, repository_id: int) -> RepositoryKey:
        """Return the key of an id on this repository's host."""
        return repository_key(self.host, repository_id)
