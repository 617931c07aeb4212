"""From what a person typed to a question, the same for commands, routes and pages.

Options and parameters mean the same everywhere because only this module reads them: `period`,
`from` and `to`, `tz`, `as_of`, `known_at`. What is configured for the repository is added here,
so no answer can forget it.
"""

import msgspec

from events.errors import InvalidQuestion
from events.instant import Instant
from services.answers.questions.period import Period, moment, named_period, period
from services.answers.questions.question import ReportQuestion, RepositoryQuestion
from services.config.repository import ReleaseSettings
from services.config.settings import Settings


class QuestionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a person typed; None where nothing was said.

    A period is named (`period`), or given by its edges (`start` is `from`, `end` is `to`); an
    edition may tell what one release brings against another (`releases`) instead. `zone`
    is that of its days, else the repository's. Times are written with their offset.
    """

    repository: str
    period: str | None = None
    start: str | None = None
    end: str | None = None
    releases: str | None = None
    zone: str | None = None
    as_of: str | None = None
    known_at: str | None = None


class QuestionBuilder:
    """Builds questions with what is configured; raises InvalidQuestion with the way to ask."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def repository(self, request: QuestionRequest) -> RepositoryQuestion:
        """Return the question about a repository as a whole: its releases, its roadmaps."""
        configured = self.settings.repository(request.repository)
        releases = ReleaseSettings() if configured is None else configured.releases
        return RepositoryQuestion(
            full_name=request.repository,
            as_of=_instant(request.as_of),
            known_at=_instant(request.known_at),
            roles=self.settings.roles(request.repository),
            families=releases.families,
            aliases=releases.aliases,
            schemes=releases.schemes,
        )

    def report(self, request: QuestionRequest, asked: Period | None = None) -> ReportQuestion:
        """Return the question about a period; `asked`: this one, whatever the request says."""
        return ReportQuestion(
            **msgspec.structs.asdict(self.repository(request)),
            period=self.period(request) if asked is None else asked,
            rules=self.settings.exclusion_rules(request.repository),
        )

    def zone(self, request: QuestionRequest) -> str:
        """Return the zone in which the days of a request are meant."""
        return request.zone or self.settings.zone(request.repository)

    def period(self, request: QuestionRequest) -> Period:
        """Return the period of a request."""
        edges = (request.start, request.end)
        if request.period is not None and edges == (None, None):
            return named_period(request.period, self.zone(request))
        if request.period is None and request.start is not None and request.end is not None:
            return period(request.start, request.end, self.zone(request))
        raise InvalidQuestion(
            "say which period: by name, such as 2026-07, 2026-Q3 or 2026-07-01..2026-08-01, or by "
            "its first day (from) and the day after its last (to)"
        )


def _instant(text: str | None) -> Instant | None:
    return None if text is None else moment(text)
