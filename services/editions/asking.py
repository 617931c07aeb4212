"""From settings to questions about editions, and the ways in which a period is named."""

from events.errors import InvalidQuestion
from events.instant import Instant
from projections.read_model import Snapshot
from projections.release_inclusion.view import HistoryCache
from services.editions.edition import Stage
from services.editions.question import AUTHOR, EditionQuestion
from services.releases.asking import release_question, release_settings
from services.releases.ground import look
from services.reports.exclusion_rules import exclusion_rules
from services.reports.named_period import named_period
from services.reports.period import Period
from services.reports.question import Question
from services.settings import Settings
from services.themes.settings import ThemeSettings


def theme_settings(settings: Settings, name_or_key: str) -> ThemeSettings:
    """Return what is configured about the themes of a repository."""
    found = settings.repository(name_or_key)
    return ThemeSettings() if found is None else found.themes


def edition_question(
    settings: Settings,
    full_name: str,
    period: Period,
    *,
    as_of: Instant | None = None,
    known_at: Instant | None = None,
    stage: Stage = "",
    label: str = "",
    author: str = AUTHOR,
) -> EditionQuestion:
    """Return a question about a repository, with what is configured for it."""
    releases = release_settings(settings, full_name)
    return EditionQuestion(
        report=Question(
            full_name=full_name,
            period=period,
            as_of=as_of,
            known_at=known_at,
            roles=settings.roles(full_name),
            families=releases.families,
            aliases=releases.aliases,
            rules=exclusion_rules(settings, full_name),
        ),
        themes=theme_settings(settings, full_name),
        stage=stage,
        label=label,
        author=author,
    )


def period_of(
    snapshot: Snapshot,
    settings: Settings,
    full_name: str,
    *,
    named: str | None,
    releases: str | None,
    zone: str,
) -> tuple[Period, str]:
    """Return a period and what a title calls it (empty: by its days).

    Named by a calendar name, or as the time between two releases: from just after the first became
    visible up to the second. Raise InvalidQuestion where it is neither, or both.
    """
    if (named is None) == (releases is None):
        raise InvalidQuestion("say which period: give either --period or --releases")
    if named is not None:
        return named_period(named, zone), ""
    first, dots, second = (releases or "").partition("..")
    if not (first and dots and second):
        raise InvalidQuestion("write --releases FIRST..SECOND, such as v1.2.0..v1.3.0")
    seen = look(snapshot, release_question(settings, full_name), HistoryCache()).view
    start, end = seen.release(first), seen.release(second)
    if start.at >= end.at:
        raise InvalidQuestion(f"{second} did not become visible after {first}")
    period = Period(start=start.at + 1, end=end.at + 1, zone=zone)
    return period, f"{start.tag} … {end.tag}"
