"""From a request to the context in which roadmaps are asked about."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from events.errors import NotFound
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from projections.roadmap_status.choosing import Choice
from projections.roadmap_status.context import Convention, RoadmapContext
from projections.roadmap_status.editions.cache import EditionCache
from projections.roadmap_status.words.phrases import Phrases
from projections.roadmap_status.words.states import DEFAULT_MARKS, Marks, State, bare_mark
from projections.store.snapshot import Snapshot
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.question import RepositoryQuestion
from services.answers.releases.context import ResolvedQuestion, resolve_question
from services.config.repository import RoadmapSettings
from services.config.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadmapQuestion:
    """One repository and the two clocks, with what is configured for its releases and roadmaps."""

    releases: RepositoryQuestion
    convention: Convention


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadmapAnswers:
    """Who was asked, and the context that answers; it needs its snapshot open."""

    asked: ResolvedQuestion
    context: RoadmapContext


def roadmap_question(settings: Settings, request: QuestionRequest) -> RoadmapQuestion:
    """Return a question about a repository, with what is configured for it."""
    releases = QuestionBuilder(settings).repository(request)
    return RoadmapQuestion(releases=releases, convention=conventions(settings)(request.repository))


def conventions(settings: Settings) -> Callable[[str], Convention]:
    """Return what gives, by the name of a repository, what is configured of its roadmaps."""

    def of(repository: str) -> Convention:
        configured = settings.repository(repository)
        blocks = () if configured is None else configured.roadmaps
        return convention(blocks, settings.roles(repository))

    return of


def open_roadmaps(
    snapshot: Snapshot, question: RoadmapQuestion, histories: HistoryCache, editions: EditionCache
) -> RoadmapAnswers:
    """Open the context of a question; a repository without git history has one too."""
    asked = resolve_question(snapshot, question.releases)
    context = RoadmapContext(
        snapshot,
        asked.repo,
        asked.as_of,
        asked.known_at,
        view=_view(snapshot, asked, question.releases, histories),
        default_branch=asked.default_branch,
        convention=question.convention,
        cache=editions,
    )
    return RoadmapAnswers(asked=asked, context=context)


def _view(
    snapshot: Snapshot,
    asked: ResolvedQuestion,
    question: RepositoryQuestion,
    histories: HistoryCache,
) -> ReleaseView | None:
    try:
        return view(
            snapshot,
            asked.repo,
            asked.as_of,
            asked.known_at,
            roles=question.roles,
            families=question.families,
            cache=histories,
            aliases=question.aliases,
            schemes=question.schemes,
        )
    except NotFound:  # no commits are recorded
        return None


def convention(configured: Iterable[RoadmapSettings], roles: BranchRoles) -> Convention:
    """Return what is configured in the form in which questions take it."""
    blocks = tuple(configured)
    legend = {word: State(state) for block in blocks for word, state in block.legend.items()}
    marks = {bare_mark(word): state for word, state in legend.items() if not _is_word(word)}
    words = {word.lower(): state for word, state in legend.items() if _is_word(word)}
    return Convention(
        choices=tuple(
            Choice(issues=block.issues, label=block.label, title=block.title)
            for block in blocks
            if block.issues or block.label or block.title
        ),
        phrases=Phrases(words=words, marks=Marks({**DEFAULT_MARKS, **marks})),
        default_branch=next((block.delivered_on for block in blocks if block.delivered_on), ""),
        roles=roles,
    )


def _is_word(text: str) -> bool:
    return text.strip()[:1].isalnum()
