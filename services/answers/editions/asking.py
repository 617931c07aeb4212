"""From settings to questions about editions, and the ways in which a period is named."""

from events.errors import InvalidQuestion
from events.instant import Instant
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.editions.releases.asking import named_releases, time_between
from services.answers.questions.period import Period, named_period
from services.answers.questions.question import AUTHOR, EditionQuestion, ReportQuestion, Stage
from services.answers.releases.asking import release_question, release_settings
from services.answers.releases.context import open_releases
from services.answers.reports.exclusion_rules import exclusion_rules
from services.config.settings import Settings
from services.config.themes import ThemeSettings


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
    author: str = AUTHOR,
    releases: tuple[str, str] | None = None,
) -> EditionQuestion:
    """Return a question about a repository, with what is configured for it."""
    configured = release_settings(settings, full_name)
    return EditionQuestion(
        report=ReportQuestion(
            full_name=full_name,
            period=period,
            as_of=as_of,
            known_at=known_at,
            roles=settings.roles(full_name),
            families=configured.families,
            aliases=configured.aliases,
            rules=exclusion_rules(settings, full_name),
        ),
        themes=theme_settings(settings, full_name),
        stage=stage,
        author=author,
        releases=releases,
    )


def named_question(
    snapshot: Snapshot,
    settings: Settings,
    full_name: str,
    *,
    named: str | None,
    releases: str | None,
    zone: str,
    as_of: Instant | None = None,
    known_at: Instant | None = None,
    stage: Stage = "",
    author: str = AUTHOR,
) -> EditionQuestion:
    """Return a question about a period by its name, or about `FIRST..SECOND` of the releases.

    Raise InvalidQuestion where it is neither, or both.
    """
    if (named is None) == (releases is None):
        raise InvalidQuestion("say which period: give either --period or --releases")
    pair = None if releases is None else named_releases(releases)
    if pair is None:
        period = named_period(named or "", zone)
    else:
        asked = release_question(settings, full_name, as_of=as_of, known_at=known_at)
        period = time_between(open_releases(snapshot, asked, HistoryCache()), pair, zone)
    return edition_question(
        *(settings, full_name, period),
        as_of=as_of,
        known_at=known_at,
        stage=stage,
        author=author,
        releases=pair,
    )
