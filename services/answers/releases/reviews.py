"""What waits for a person: mentions in commit messages that may be reverts, restores or picks."""

from dataclasses import dataclass

from events.errors import NotFound
from events.facts.curation import MentionDecided
from events.instant import Instant
from projections.release_inclusion.history.decisions import latest
from projections.release_inclusion.messages.mention import Mention, Role
from projections.release_inclusion.queries import KnownCommit, mention_decisions
from projections.release_inclusion.review import ReviewItem, reviews
from services.answers.releases.context import ReleaseContext, ResolvedQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One mention to confirm or reject, and the commit that makes it."""

    item: ReviewItem
    commit: KnownCommit

    @property
    def subject(self) -> str:
        """The commit's subject, on one line."""
        return " ".join(self.commit.commit.subject.split())

    @property
    def says(self) -> str:
        """What a confirmation would mean."""
        mention = self.item.mentions[0].mention
        numbers = ", ".join(f"#{number}" for number in self.item.subject_numbers)
        target = numbers or mention.sha or f'"{mention.title}"'
        return f"{mention.role.value} of {target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """What waits, and what was decided, by the id by which a person answers."""

    asked: ResolvedQuestion
    waiting: tuple[Waiting, ...]
    decided: dict[str, MentionDecided]


def review_list(context: ReleaseContext) -> Reviews:
    """Return what waits for a person, weightiest first, and what persons decided."""
    items = reviews(context.view)
    commits = context.commits(item.sha for item in items)
    decisions = mention_decisions(context.snapshot, context.asked.repo, context.asked.known_at)
    return Reviews(
        asked=context.asked,
        waiting=tuple(Waiting(item=item, commit=commits[item.sha]) for item in items),
        decided=latest(decisions),
    )


def decisions(
    open_reviews: Reviews, name: str, *, holds: bool, author: str, reason: str, now: Instant
) -> tuple[MentionDecided, ...]:
    """Return a person's decisions about a question's mentions; raise NotFound for no id.

    What was decided before can be decided again: the last decision holds.
    """
    for waiting in open_reviews.waiting:
        if waiting.item.id == name:
            return tuple(
                _decide(waiting.item.sha, resolved.mention, holds, author, reason, now)
                for resolved in waiting.item.mentions
            )
    decided = open_reviews.decided.get(name)
    if decided is None:
        raise NotFound(
            f"no mention {name} waits or was decided; `shipledger review "
            f"{open_reviews.asked.full_name}` lists them"
        )
    mention = Mention(
        role=Role(decided.role),
        method="",
        sha=decided.target,
        number=decided.number,
        title=decided.title,
    )
    return (_decide(decided.sha, mention, holds, author, reason, now),)


def _decide(
    sha: str, mention: Mention, holds: bool, author: str, reason: str, now: Instant
) -> MentionDecided:
    return MentionDecided(
        sha=sha,
        role=mention.role.value,
        holds=holds,
        decided_at=now,
        author=author,
        number=mention.number,
        target=mention.sha,
        title=mention.title,
        reason=reason,
    )
