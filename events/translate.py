"""The one door from records to facts.

`translate` is pure: the same record always gives the same facts. What a source does not want is
ignored with a reason; what cannot be understood raises InvalidEvent with the path of the fault.
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.facts.operations import ConflictObserved
from events.facts.pull_request import PullRequestObserved
from events.log.irregular import CONFLICT_TYPE, TOMBSTONE_TYPE, UNREADABLE_TYPE, is_redacted
from events.record import Record, Source
from events.sources import authored, gharchive, git_history, github_api, github_webhook


class Translation(msgspec.Struct, frozen=True):
    """The facts of one record; `ignored` says why there are none."""

    facts: tuple[Fact, ...] = ()
    ignored: str | None = None


Translator = Callable[[Record], "tuple[Fact, ...] | str"]
"""Returns facts, or the reason for which the record is ignored."""

TRANSLATORS: Final[Mapping[Source, Translator]] = {
    "webhook": github_webhook.translate,
    "api": github_api.translate,
    "archive": gharchive.translate,
    "git": git_history.translate,
    "census": authored.translate,
    "curation": authored.translate,
    "configuration": authored.translate,
    "publication": authored.translate,
    "tick": authored.translate,
}


def translate(record: Record) -> Translation:
    """Return what a record states; raise InvalidEvent where it cannot be understood."""
    if is_redacted(record):
        raise InvalidEvent("the body was redacted; what it showed is no longer known")
    if record.type == CONFLICT_TYPE:
        return Translation((_conflict(record),))
    if record.type == UNREADABLE_TYPE:
        raise InvalidEvent(record.attributes.get("reason", "unreadable"))
    if record.type == TOMBSTONE_TYPE:
        return Translation(ignored="a message without a value")
    translator = TRANSLATORS.get(record.source)
    if translator is None:
        return Translation(ignored=f"no translator for source {record.source}")
    try:
        outcome = translator(record)
    except RecursionError:
        raise InvalidEvent("the body is nested too deeply") from None
    if isinstance(outcome, str):
        return Translation(ignored=outcome)
    return Translation(outcome)


def _conflict(second: Record) -> ConflictObserved:
    first_id = second.attributes["conflictof"]
    as_sent = msgspec.structs.replace(second, type=second.attributes["originaltype"])
    try:
        facts = translate(as_sent).facts
    except InvalidEvent:
        facts = ()
    numbers = {fact.number for fact in facts if isinstance(fact, PullRequestObserved)}
    return ConflictObserved(record_id=first_id, numbers=tuple(sorted(numbers)))
