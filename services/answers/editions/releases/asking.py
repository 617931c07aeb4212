"""Which two releases an edition is about, and the time between them."""

from events.errors import InvalidQuestion
from services.answers.questions.period import Period
from services.answers.releases.context import ReleaseContext
from services.answers.releases.release_page import release_of
from services.answers.releases.subjects import resolve


def named_releases(text: str) -> tuple[str, str]:
    """Read `FIRST..SECOND`; raise InvalidQuestion with the way to write it."""
    first, dots, second = text.partition("..")
    if not (first and dots and second) or ".." in second:
        raise InvalidQuestion("write --releases FIRST..SECOND, such as v1.2.0..v1.3.0")
    return first, second


def time_between(ground: ReleaseContext, releases: tuple[str, str], zone: str) -> Period:
    """Return the time from when the earlier of two releases became visible until both were.

    It places an edition among others, and decides nothing of what a release brings. Raise NotFound
    or InvalidQuestion for a name that is no tag.
    """
    visible = sorted(release_of(ground, resolve(ground, name)).at for name in releases)
    return Period(start=visible[0] + 1, end=max(visible[-1], visible[0] + 1) + 1, zone=zone)
