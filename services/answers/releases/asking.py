"""From settings to questions about releases."""

from events.instant import Instant
from services.answers.questions.question import RepositoryQuestion
from services.config.releases import ReleaseSettings
from services.config.settings import Settings


def release_settings(settings: Settings, name_or_key: str) -> ReleaseSettings:
    """Return what is configured about the releases of a repository."""
    found = settings.repository(name_or_key)
    return ReleaseSettings() if found is None else found.releases


def release_question(
    settings: Settings,
    full_name: str,
    *,
    as_of: Instant | None = None,
    known_at: Instant | None = None,
) -> RepositoryQuestion:
    """Return a question about a repository, with what is configured for it."""
    configured = release_settings(settings, full_name)
    return RepositoryQuestion(
        full_name=full_name,
        as_of=as_of,
        known_at=known_at,
        roles=settings.roles(full_name),
        families=configured.families,
        aliases=configured.aliases,
    )
