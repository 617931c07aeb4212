"""One delivery -> facts: the table of the events that are read, and the door to their readers.

Neither the event's name nor the delivery id is signed by GitHub, so a body is believed only where
it has the shape of the event that its header names.
"""

from collections.abc import Callable, Mapping
from typing import Final

from events.facts.base import Fact
from events.record import Record
from events.sources.github_webhook.issue import issue_comment, issues, sub_issues
from events.sources.github_webhook.kinds import IGNORED, UNKNOWN_PREFIX
from events.sources.github_webhook.payload import json_payload
from events.sources.github_webhook.pull_request import pull_request, review
from events.sources.github_webhook.push import push
from events.sources.github_webhook.release import release
from events.sources.github_webhook.repository import mention_only, repository

TYPE_PREFIX: Final = "com.github."

HANDLED: Final[Mapping[str, Callable[[bytes], tuple[Fact, ...]]]] = {
    "create": mention_only,  # names no SHA: the push that comes with it has the ref's value
    "delete": mention_only,  # as above
    "fork": mention_only,
    "issue_comment": issue_comment,
    "issue_dependencies": mention_only,  # links between issues: not read yet
    "issues": issues,
    "label": mention_only,  # labels are read from the requests that carry them
    "merge_group": mention_only,  # the merge itself comes as `pull_request` and `push`
    "milestone": mention_only,  # as labels
    "ping": mention_only,
    "public": mention_only,
    "pull_request": pull_request,
    "pull_request_review": review,
    "pull_request_review_comment": review,
    "pull_request_review_thread": review,
    "push": push,
    "release": release,
    "repository": repository,
    "sub_issues": sub_issues,
}


def is_known(event: str) -> bool:
    """Tell whether GitHub's documentation (as of this version) has an event of this name."""
    return event in HANDLED or event in IGNORED


def translate(record: Record) -> tuple[Fact, ...] | str:
    """Return the facts of a delivery, or why it has none.

    Raise InvalidEvent, with the path of the fault, where the body does not fit its event.
    """
    event = event_of(record.type)
    reason = IGNORED.get(event)
    if reason is not None:
        return reason
    reader = HANDLED.get(event)
    if reader is None:
        return f"{UNKNOWN_PREFIX}{event}"
    facts = reader(json_payload(record.content_type, record.body))
    return facts or f"{event} states nothing here"


def event_of(record_type: str) -> str:
    """Return the event's name in a record type: `com.github.issues.opened` -> `issues`."""
    return record_type.removeprefix(TYPE_PREFIX).partition(".")[0]
