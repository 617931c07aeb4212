"""Events of GitHub's public timeline, as GH Archive keeps them: one JSON object a line.

They differ from webhook deliveries: an envelope says who, where and when, and the payload has no
repository. Until October 2025 a payload shows the whole request; since then it names the request
and its branches and nothing more (a *trimmed* one), so a close does not show its outcome and a
merge is an action of its own. What a trimmed event does not show stays unknown until a better
source shows it (MODEL.md 3).
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from events.facts.base import Fact, Trust
from events.facts.git import RefObserved
from events.facts.pull_request import PullRequestObserved
from events.record import Record
from events.sources.github_webhook.issue import issue_comment, issues
from events.sources.github_webhook.moment import Moment
from events.sources.github_webhook.objects import (
    FullName,
    Label,
    Number,
    Repository,
    Sha,
    User,
    is_bot,
    label_name,
    login,
)
from events.sources.github_webhook.payload import decode, json_payload
from events.sources.github_webhook.pull_request import SNAPSHOT, PullRequest, observed, own_branch
from events.sources.github_webhook.push import QUEUE, TAGS
from events.sources.github_webhook.release import release
from events.sources.github_webhook.repository import mentioned

TYPE_PREFIX: Final = "com.github.archive."
_HEADS: Final = "refs/heads/"


class Place(msgspec.Struct, frozen=True):
    """The repository of an event, by the name that it had then."""

    id: Number
    name: FullName


class Event(msgspec.Struct, frozen=True):
    """The envelope. `id` is unique among the events of 2015 and later."""

    id: str | int
    type: str
    repo: Place
    created_at: Moment
    payload: msgspec.Raw
    actor: User | None = None

    @property
    def repository(self) -> Repository:
        """The repository as webhooks describe it, as far as it is shown."""
        return Repository(id=self.repo.id, full_name=self.repo.name, updated_at=self.created_at)


class PullRequestPayload(msgspec.Struct, frozen=True):
    """Of `PullRequestEvent`. `labels` are those that the action added or removed."""

    pull_request: PullRequest
    action: str | None = None
    number: Number | None = None
    label: Label | None = None


class ReviewPayload(msgspec.Struct, frozen=True):
    """Of `PullRequestReviewEvent` and its like."""

    pull_request: PullRequest


class PushPayload(msgspec.Struct, frozen=True):
    """Of `PushEvent`: the new value and the one before; it never says that a push was forced."""

    ref: str
    head: Sha | None = None
    before: Sha | None = None


class RefPayload(msgspec.Struct, frozen=True):
    """Of `DeleteEvent`."""

    ref: str | None = None
    ref_type: str | None = None


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Return the facts of one event, or why it has none; raise InvalidEvent as webhooks do."""
    event = decode(json_payload(record.content_type, record.body), Event)
    reader = _READERS.get(event.type)
    if reader is None:
        return f"{event.type} states nothing here"
    facts = (*reader(event), *mentioned(event.repository))
    return tuple(map(_believed, facts))


def _believed(fact: Fact) -> Fact:
    """Full objects of the archive are believed less than deliveries: others wrote them down."""
    if isinstance(fact, PullRequestObserved) and fact.trust is Trust.FULL:
        return replace(fact, trust=Trust.ARCHIVE_FULL)
    return fact


def _pull_request(event: Event) -> tuple[Fact, ...]:
    payload = decode(bytes(event.payload), PullRequestPayload)
    shown, kind = payload.pull_request, payload.action or SNAPSHOT
    if shown.number is None:
        shown = replace(shown, number=payload.number)
    label = label_name(payload.label)
    fact = _trimmed(event, shown, kind) if _is_trimmed(shown) else _whole(event, shown, kind)
    return (
        replace(
            fact,
            label_added=label if kind == "labeled" else None,
            label_removed=label if kind == "unlabeled" else None,
        ),
    )


def _review(event: Event) -> tuple[Fact, ...]:
    shown = decode(bytes(event.payload), ReviewPayload).pull_request
    whole = not _is_trimmed(shown)
    return (_whole(event, shown, SNAPSHOT) if whole else _trimmed(event, shown, SNAPSHOT),)


def _is_trimmed(shown: PullRequest) -> bool:
    return shown.state is None and shown.updated_at is None and shown.title is None


def _whole(event: Event, shown: PullRequest, kind: str) -> PullRequestObserved:
    return observed(shown, event.repository, kind=kind)


def _trimmed(event: Event, shown: PullRequest, action: str) -> PullRequestObserved:
    """State what a trimmed event proves, at the envelope's time.

    `closed` is documented to mean "without a merge" since; that is not relied on.
    """
    at = event.created_at.instant
    opens, merges = action == "opened", action == "merged"
    fact = observed(
        replace(shown, updated_at=event.created_at),
        event.repository,
        kind="closed" if merges else action,
    )
    return replace(
        fact,
        trust=Trust.ARCHIVE_STUB,
        state="open" if opens or action == "reopened" else "closed" if merges else None,
        created_at=at if opens else None,
        merged=True if merges else None,
        merged_at=at if merges else None,
        author=login(event.actor) if opens else None,
        author_is_bot=is_bot(event.actor) if opens else None,
        merger=login(event.actor) if merges else None,
        head=own_branch(shown.head, event.repository),
    )


def _push(event: Event) -> tuple[Fact, ...]:
    payload = decode(bytes(event.payload), PushPayload)
    # of an annotated tag the head is the tag object, so tags are left to git
    if payload.head is None or payload.ref.startswith((QUEUE, TAGS)):
        return ()
    before = payload.before
    return (
        RefObserved(
            ref=payload.ref,
            sha=payload.head,
            at=event.created_at.instant,
            evidence="pushed",
            before=None if before is None or not before.strip("0") else before,
        ),
    )


def _delete(event: Event) -> tuple[Fact, ...]:
    payload = decode(bytes(event.payload), RefPayload)
    if payload.ref_type != "branch" or payload.ref is None:
        return ()
    ref = _HEADS + payload.ref.removeprefix(_HEADS)
    return (RefObserved(ref=ref, sha=None, at=event.created_at.instant, evidence="pushed"),)


def _of_payload(read: Callable[[bytes], tuple[Fact, ...]]) -> Callable[[Event], tuple[Fact, ...]]:
    return lambda event: read(bytes(event.payload))


_READERS: Final[Mapping[str, Callable[[Event], tuple[Fact, ...]]]] = {
    "CreateEvent": lambda _: (),  # names no SHA
    "DeleteEvent": _delete,
    "ForkEvent": lambda _: (),
    "IssueCommentEvent": _of_payload(issue_comment),
    "IssuesEvent": _of_payload(issues),
    "PublicEvent": lambda _: (),
    "PullRequestEvent": _pull_request,
    "PullRequestReviewCommentEvent": _review,
    "PullRequestReviewEvent": _review,
    "PullRequestReviewThreadEvent": _review,
    "PushEvent": _push,
    "ReleaseEvent": _of_payload(release),
}
"""Those that only name their repository state its name."""

USED: Final = frozenset(_READERS)
"""The types of events that state anything."""
