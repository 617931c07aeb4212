"""The themes of a period: rules, then dependencies, last month's themes and clusters; the order.

An assignment that was recorded for the same inputs is taken as it stands, so that a report made
again is the same whatever the clustering would say on another machine or in a later version.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from events.facts.editions import AssignedTheme, ThemesAssigned
from events.identity import body_digest
from projections.period_ledger.themes import (
    DEPENDENCIES,
    Theme,
    ThemeRequest,
    Themes,
    arrange,
    named_by_prior,
    place_by_rules,
)
from services.answers.themes.clustering import clusters
from services.answers.themes.dependencies import raises_dependency
from services.answers.themes.likeness import likeness
from services.answers.themes.naming import cluster_names
from services.answers.themes.placing import News
from services.answers.themes.words import is_place
from services.config.repository import ThemeSettings

#: Raised when clustering changes what it gives for the same inputs.
VERSION: Final = 3
#: An old theme gives its name to a cluster that is at least so near to it, on the scale on which
#: the requests of one theme are about 1 apart from themselves.
_LEAST_LIKENESS: Final = 0.35


class Prior(msgspec.Struct, frozen=True, kw_only=True):
    """Last month's themes in their order, and those of their requests that are known."""

    themes: tuple[AssignedTheme, ...] = ()
    requests: Mapping[int, ThemeRequest] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names in their order."""
        return tuple(theme.name for theme in self.themes)


def inputs_digest(
    requests: Sequence[ThemeRequest],
    history: Sequence[ThemeRequest],
    settings: ThemeSettings,
    prior: Prior,
) -> str:
    """Return the SHA-256 of everything that an assignment depends on."""
    inputs = {
        "version": VERSION,
        "requests": _sorted(requests),
        "history": _sorted(history),
        "settings": settings,
        "prior": prior.themes,
        "prior_requests": _sorted(list(prior.requests.values())),
    }
    return body_digest(msgspec.json.encode(inputs, order="deterministic"))


def placed_digest(
    base: str,
    news: News,
    members: Sequence[ThemeRequest],
    settings: ThemeSettings,
) -> str:
    """Return the SHA-256 of everything that placing what is new depends on; `base` is the record
    of the assignment that it is placed in.
    """
    inputs = {
        "version": VERSION,
        "base": base,
        "news": news,
        "members": _sorted(members),
        "settings": settings,
    }
    return body_digest(msgspec.json.encode(inputs, order="deterministic"))


def make_themes(
    requests: Sequence[ThemeRequest],
    history: Sequence[ThemeRequest],
    settings: ThemeSettings,
    prior: Prior | None = None,
) -> Themes:
    """Return the themes of some requests; the result does not depend on their order."""
    prior = prior or Prior()
    requests, history = _sorted(requests), _sorted(history)
    placed, _ = place_by_rules(requests, settings.rules)
    by_rule = [
        Theme(
            name=rule.name,
            numbers=tuple(n for n, name in sorted(placed.items()) if name == rule.name),
            how="rule",
        )
        for rule in settings.rules
    ]
    unplaced = [request for request in requests if request.number not in placed]
    raising = [request for request in unplaced if raises_dependency(request)]
    if raising:
        numbers = tuple(request.number for request in raising)
        by_rule.append(Theme(name=DEPENDENCIES, numbers=numbers, how="cluster"))
        unplaced = [request for request in unplaced if request.number not in numbers]
    clustered = _clustered(unplaced, history, settings, prior)
    order = prior.names or tuple(rule.name for rule in settings.rules)
    return arrange(
        [*(theme for theme in by_rule if theme.numbers), *clustered], order, settings.bounds
    )


def assigned(themes: Themes, *, start: int, end: int, digest: str) -> ThemesAssigned:
    """Return the assignment as it is recorded, for the period [start, end)."""
    return ThemesAssigned(
        start=start,
        end=end,
        inputs=digest,
        themes=tuple(
            AssignedTheme(name=theme.name, numbers=theme.numbers, how=theme.how, terms=theme.terms)
            for theme in themes.themes
        ),
        left_over=themes.left_over,
    )


def recorded(fact: ThemesAssigned) -> Themes:
    """Return the themes of a recorded assignment."""
    return Themes(
        themes=tuple(
            Theme(name=theme.name, numbers=theme.numbers, how=theme.how, terms=theme.terms)
            for theme in fact.themes
        ),
        left_over=fact.left_over,
    )


def _clustered(
    unplaced: Sequence[ThemeRequest],
    history: Sequence[ThemeRequest],
    settings: ThemeSettings,
    prior: Prior,
) -> list[Theme]:
    if not unplaced:
        return []
    names = {rule.name for rule in settings.rules}
    if len(unplaced) < settings.smallest and names.isdisjoint(prior.names):
        return [_left_over(unplaced)]  # whatever they would be called, they are too few
    labels = clusters(unplaced, history, _count(len(unplaced), settings))
    parts: dict[int, list[ThemeRequest]] = {}
    for request, label in zip(unplaced, labels, strict=True):
        parts.setdefault(label, []).append(request)
    groups = list(parts.values())
    taken = [*(rule.name for rule in settings.rules), *prior.names, DEPENDENCIES]
    themes = [
        Theme(
            name=naming.name,
            numbers=tuple(request.number for request in group),
            how="cluster",
            terms=naming.terms,
        )
        for group, naming in zip(groups, cluster_names(groups, history, taken), strict=True)
    ]
    near = _nearness(
        dict(zip((theme.name for theme in themes), groups, strict=True)), history, prior
    )
    return named_by_prior(themes, near, _LEAST_LIKENESS)


def _left_over(requests: Sequence[ThemeRequest]) -> Theme:
    numbers = tuple(request.number for request in requests)
    return Theme(name=f"#{numbers[0]}", numbers=numbers, how="cluster")


def _count(requests: int, settings: ThemeSettings) -> int:
    """Return how many clusters are made: more than the cap, so that what fits nowhere stays out
    of the ones that are told instead of being squeezed in.
    """
    return max(1, min(settings.cap * 2, requests // settings.smallest))


def _nearness(
    groups: Mapping[str, Sequence[ThemeRequest]], history: Sequence[ThemeRequest], prior: Prior
) -> dict[tuple[str, str], float]:
    """Return how near each cluster is to each of last month's themes, on average."""
    old = {
        theme.name: [prior.requests[n] for n in theme.numbers if n in prior.requests]
        for theme in prior.themes
    }
    old = {
        name: requests
        for name, requests in old.items()
        if requests and name != DEPENDENCIES and not is_place(name)
    }
    if not old:
        return {}
    every = {
        request.number: request for part in (*groups.values(), *old.values()) for request in part
    }
    places = {number: place for place, number in enumerate(every)}
    near = likeness(list(every.values()), history)
    return {
        (new, name): float(
            near[
                [[places[request.number]] for request in group],
                [places[request.number] for request in requests],
            ].mean()
        )
        for new, group in groups.items()
        for name, requests in old.items()
    }


def _sorted(requests: Sequence[ThemeRequest]) -> list[ThemeRequest]:
    return sorted(requests, key=lambda request: request.number)
