"""From a request to a question about an edition: of a period, or of what a release brings."""

from events.errors import InvalidQuestion
from projections.store.snapshot import Snapshot
from services.answers.questions.author import AUTHOR
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import Period
from services.answers.questions.question import EditionQuestion, ReportQuestion, Stage
from services.answers.releases.context import ReleaseContext, open_releases
from services.answers.releases.release_page import release_of
from services.answers.releases.subjects import resolve
from services.config.repository import ThemeSettings
from services.config.settings import Settings
from services.stream.stores import Stores


def edition_question(
    stores: Stores,
    snapshot: Snapshot,
    request: QuestionRequest,
    *,
    stage: Stage = "",
    author: str = AUTHOR,
) -> EditionQuestion:
    """Return the question about a period, or about `FIRST..SECOND` of the releases.

    Raise InvalidQuestion where the request names neither, or both.
    """
    builder = QuestionBuilder(stores.settings)
    if (request.period or request.start) is None and request.releases is None:
        raise InvalidQuestion("say which period: give either --period or --releases")
    pair = None if request.releases is None else _named_releases(request.releases)
    if pair is None:
        report = builder.report(request)
    elif (request.period or request.start or request.end) is None:
        context = open_releases(snapshot, builder.repository(request), stores.histories)
        between = _time_between(context, pair, builder.zone(request))
        report = builder.report(request, between)
    else:
        raise InvalidQuestion("say which period: give either --period or --releases")
    return with_themes(stores.settings, report, stage=stage, author=author, releases=pair)


def with_themes(
    settings: Settings,
    report: ReportQuestion,
    *,
    stage: Stage = "",
    label: str = "",
    author: str = AUTHOR,
    releases: tuple[str, str] | None = None,
    name: str | None = None,
) -> EditionQuestion:
    """Return a report's question with what is configured for its themes.

    `name` is what the repository is called in the configuration, where the question names its key.
    """
    configured = settings.repository(name or report.full_name)
    return EditionQuestion(
        report=report,
        themes=ThemeSettings() if configured is None else configured.themes,
        stage=stage,
        label=label,
        author=author,
        releases=releases,
    )


def _named_releases(text: str) -> tuple[str, str]:
    """Read `FIRST..SECOND`; raise InvalidQuestion with the way to write it."""
    first, dots, second = text.partition("..")
    if not (first and dots and second) or ".." in second:
        raise InvalidQuestion("write --releases FIRST..SECOND, such as v1.2.0..v1.3.0")
    return first, second


def _time_between(context: ReleaseContext, releases: tuple[str, str], zone: str) -> Period:
    """Return the time from when the earlier of two releases became visible until both were.

    It places an edition among others, and decides nothing of what a release brings. Raise NotFound
    or InvalidQuestion for a name that is no tag.
    """
    visible = sorted(release_of(context, resolve(context, name)).at for name in releases)
    return Period(start=visible[0] + 1, end=max(visible[-1], visible[0] + 1) + 1, zone=zone)
