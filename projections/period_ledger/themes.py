"""Themes of a period's requests: the rules that place them, and the order in which they are told.

Pure. Rules come first and in their order; what no rule takes is for clustering; what fits no theme
is left over and listed, never squeezed in.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from projections.period_ledger.globs import pattern_of

#: The theme of what only raises a dependency: one, the last, whatever else there is.
DEPENDENCIES: Final = "Dependencies"

How: TypeAlias = Literal["rule", "prior", "cluster"]


class ThemeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What of a request decides its theme. `paths` may be empty where no list is recorded."""

    number: int
    title: str
    paths: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    author: str | None = None


class ThemeRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A theme by its name, and what belongs to it: any label, a title, or most of the paths.

    `labels` are compared without case, `titles` are regular expressions searched without case,
    `paths` are globs from the root of the repository.
    """

    name: str
    labels: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise ValueError where a pattern cannot be read, or the rule takes nothing."""
        if not (self.labels or self.titles or self.paths):
            raise ValueError(f"{self.name}: give labels, titles or paths")
        for title in self.titles:
            try:
                re.compile(title)
            except re.error as error:
                raise ValueError(f"{self.name}: titles: {title!r}: {error}") from error
        for glob in self.paths:
            pattern_of(glob)

    def takes(self, request: ThemeRequest) -> str | None:
        """Return what of the rule takes a request (`label moe`), None where nothing does."""
        labels = {label.lower() for label in request.labels}
        for label in self.labels:
            if label.lower() in labels:
                return f"label {label}"
        for title in self.titles:
            if re.search(title, request.title, re.IGNORECASE):
                return f"title {title}"
        patterns = [pattern_of(glob) for glob in self.paths]
        inside = sum(any(pattern.fullmatch(path) for pattern in patterns) for path in request.paths)
        return "paths" if patterns and inside * 2 > len(request.paths) else None


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """A theme with its requests, ascending. `terms` are the words that set it apart."""

    name: str
    numbers: tuple[int, ...]
    how: How
    terms: tuple[str, ...] = ()


class Themes(msgspec.Struct, frozen=True, kw_only=True):
    """The themes in the order in which they are told, and what is left over, ascending."""

    themes: tuple[Theme, ...]
    left_over: tuple[int, ...] = ()


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """At most `cap` themes, each of at least `smallest` requests. Rules are not bound."""

    cap: int = 12
    smallest: int = 3


def place_by_rules(
    requests: Iterable[ThemeRequest], rules: Sequence[ThemeRule]
) -> tuple[dict[int, str], dict[int, str]]:
    """Return (theme by number, what decided by number) of all that a rule takes."""
    themes: dict[int, str] = {}
    reasons: dict[int, str] = {}
    for request in requests:
        for rule in rules:
            reason = rule.takes(request)
            if reason is not None:
                themes[request.number], reasons[request.number] = rule.name, reason
                break
    return themes, reasons


def arrange(themes: Iterable[Theme], prior: Sequence[str], bounds: Bounds) -> Themes:
    """Order themes: those of last month in its order, then the larger first. Keep the bounds.

    A theme that is dropped by a bound leaves its requests over. Dependencies come last and take no
    place from others, unless a rule of that name was written, which stands where it says.
    """
    places = {name: place for place, name in enumerate(prior)}
    ordered = sorted(
        _merged(themes),
        key=lambda theme: (
            _is_last(theme),
            places.get(theme.name, len(places)),
            -len(theme.numbers),
            theme.name,
        ),
    )
    kept, left = [], set[int]()
    bounded = 0
    for theme in ordered:
        bound = theme.how != "rule"
        full = bounded >= bounds.cap and not _is_last(theme)
        if bound and (full or len(theme.numbers) < bounds.smallest):
            left.update(theme.numbers)
            continue
        bounded += bound
        kept.append(theme)
    return Themes(themes=tuple(kept), left_over=tuple(sorted(left)))


def _is_last(theme: Theme) -> bool:
    return theme.name == DEPENDENCIES and theme.how != "rule"


def _merged(themes: Iterable[Theme]) -> list[Theme]:
    """Join themes of one name; the strongest way of making them counts (rule, prior, cluster)."""
    by_name: dict[str, Theme] = {}
    for theme in themes:
        known = by_name.get(theme.name)
        if known is None:
            by_name[theme.name] = theme
            continue
        by_name[theme.name] = msgspec.structs.replace(
            known,
            numbers=tuple(sorted({*known.numbers, *theme.numbers})),
            how=min(known.how, theme.how, key=("rule", "prior", "cluster").index),
        )
    return list(by_name.values())


def named_by_prior(
    themes: Iterable[Theme], likeness: Mapping[tuple[str, str], float], least: float
) -> list[Theme]:
    """Give clusters the names of last month's themes that they are most like.

    `likeness` is (cluster's name, old name) -> 0 to 1; each old name is given once, to the best.
    """
    ranked = sorted(likeness.items(), key=lambda pair: (-pair[1], pair[0]))
    names: dict[str, str] = {}
    for (new, old), how_much in ranked:
        if how_much >= least and new not in names and old not in names.values():
            names[new] = old
    return [
        msgspec.structs.replace(theme, name=names[theme.name], how="prior")
        if theme.name in names
        else theme
        for theme in themes
    ]
