"""Which requests the narrative leaves out, by the paths that they change (MODEL.md 4). Pure.

Each path is CI first, else test, else other. A request is in the first class that fits: `ci-only`,
`test-only`, `test-and-ci-only`, `format-only`, else it is kept. All of its paths count, of a rename
both names, and all of them are the evidence. A list that is missing, empty or capped proves
nothing: the request is kept, and named.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from events.identity import body_digest
from projections.curation.resolving import ActiveDecision
from projections.period_ledger.globs import pattern_of

Role: TypeAlias = Literal["ci", "test", "other"]


Class: TypeAlias = Literal["ci-only", "test-only", "test-and-ci-only", "format-only", "kept"]


ListState: TypeAlias = Literal["whole", "missing", "empty", "capped"]


#: The classes that the narrative leaves out, in the order in which they are tried.
EXCLUDED: Final[tuple[Class, ...]] = ("ci-only", "test-only", "test-and-ci-only", "format-only")


CLASS_NAMES: Final[Mapping[str, Class]] = {name: name for name in get_args(Class)}


#: Stands in the place of the rules where a person decided.
DECIDED: Final = "decided by a person"
#: So many judged paths are kept for each rule set.
_KEPT: Final = 100_000
_BY_ROLES: Final[Mapping[frozenset[Role], Class]] = {
    frozenset(("ci",)): "ci-only",
    frozenset(("test",)): "test-only",
    frozenset(("ci", "test")): "test-and-ci-only",
}


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Paths that belong together, under the name by which they are cited."""

    name: str
    globs: tuple[str, ...]


class RuleSet(msgspec.Struct, frozen=True, kw_only=True):
    """What counts as CI, and of the rest as tests; the first rule that takes a path decides it."""

    ci: tuple[Rule, ...]
    test: tuple[Rule, ...]

    @property
    def content(self) -> bytes:
        """The rules as canonical JSON."""
        return msgspec.json.encode(self, order="deterministic")

    @property
    def digest(self) -> str:
        """The SHA-256 of `content`: equal rules have equal digests."""
        return body_digest(self.content)


class JudgedPath(msgspec.Struct, frozen=True, kw_only=True):
    """One path, what it is, and the rule and glob that say so (None: no rule takes it)."""

    path: str
    role: Role
    rule: str | None = None
    glob: str | None = None


class DecidedClass(msgspec.Struct, frozen=True, kw_only=True):
    """The class that a person gave to a request, and the record that says so."""

    kind: Class
    record_id: str
    author: str
    reason: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The class of one request and what decided it.

    `rules` are those that decided: of an excluded request all that took one of its paths; none
    where the first path that no rule takes keeps it. `doubt` says why a list proves nothing.
    `decided` is the decision of a person, which comes before all rules.
    """

    kind: Class
    rules: tuple[str, ...] = ()
    paths: tuple[JudgedPath, ...] = ()
    doubt: ListState | None = None
    decided: DecidedClass | None = None

    @property
    def excluded(self) -> bool:
        """Whether the narrative leaves the request out."""
        return self.kind != "kept"

    @property
    def deciding(self) -> JudgedPath | None:
        """Of a request that the rules keep the first path that keeps it."""
        if self.excluded or self.decided is not None:
            return None
        return next((path for path in self.paths if path.role == "other"), None)

    def overruled(self, decided: DecidedClass | None) -> "Verdict":
        """Return the verdict with a person's decision in the place of the rules."""
        if decided is None:
            return self
        return Verdict(kind=decided.kind, rules=(DECIDED,), paths=self.paths, decided=decided)


class _Compiled(msgspec.Struct, frozen=True):
    """The globs of a rule set in order, and one pattern that takes what any of them takes."""

    tried: tuple[tuple[Role, str, str, re.Pattern[str]], ...]
    any_of_them: re.Pattern[str]
    known: dict[str, JudgedPath]
    """What was judged already; the same paths come back in every period."""


@lru_cache(maxsize=16)
def _compiled(rules: RuleSet) -> _Compiled:
    placed: Sequence[tuple[Role, Iterable[Rule]]] = (("ci", rules.ci), ("test", rules.test))
    tried = tuple(
        (role, rule.name, glob, pattern_of(glob))
        for role, ordered in placed
        for rule in ordered
        for glob in rule.globs
    )
    every = "|".join(pattern.pattern for *_, pattern in tried)
    return _Compiled(tried, re.compile(every or r"(?!)", re.DOTALL), {})


class Judge:
    """A rule set made ready to judge many paths; the same path is judged once."""

    def __init__(self, rules: RuleSet) -> None:
        """Raise ValueError for a glob that cannot be read."""
        self.rules = rules
        self._compiled = _compiled(rules)

    def path(self, path: str) -> JudgedPath:
        """Return what a path is."""
        known = self._compiled.known
        judged = known.get(path)
        if judged is None:
            if len(known) >= _KEPT:
                known.clear()
            judged = known[path] = self._judged(path)
        return judged

    def request(
        self, paths: Iterable[str], state: ListState = "whole", *, format_only: bool = False
    ) -> Verdict:
        """Return the class of a request from its whole list of paths.

        `format_only` is True only where every difference was proven to change the format alone.
        """
        judged = tuple(self.path(path) for path in sorted(set(paths)))
        doubt = "empty" if state == "whole" and not judged else state
        if doubt != "whole":
            return Verdict(kind="kept", paths=judged, doubt=doubt)
        kind = _BY_ROLES.get(frozenset(path.role for path in judged))
        if kind is not None:
            rules = tuple(sorted({path.rule for path in judged if path.rule is not None}))
            return Verdict(kind=kind, rules=rules, paths=judged)
        if format_only:
            return Verdict(kind="format-only", rules=("format-only",), paths=judged)
        return Verdict(kind="kept", paths=judged)

    def _judged(self, path: str) -> JudgedPath:
        if self._compiled.any_of_them.fullmatch(path):
            for role, rule, glob, pattern in self._compiled.tried:
                if pattern.fullmatch(path):
                    return JudgedPath(path=path, role=role, rule=rule, glob=glob)
        return JudgedPath(path=path, role="other")


def decided_classes(decisions: Iterable[ActiveDecision]) -> dict[int, DecidedClass]:
    """Return the class that was decided about each request; of several the last one counts."""
    classes: dict[int, DecidedClass] = {}
    for decision in decisions:
        kind = CLASS_NAMES.get(decision.fact.value or "")
        if decision.fact.kind == "exclusion" and kind is not None:
            decided = DecidedClass(
                kind=kind,
                record_id=decision.record_id,
                author=decision.fact.author,
                reason=decision.fact.reason,
            )
            classes |= dict.fromkeys(decision.fact.numbers, decided)
    return classes
