"""One record as evidence: as it was received, with the facts that it states."""

from typing import Any

import msgspec

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.record import Entry
from events.translate import translate
from services.documents.forms import Forms
from services.logs.exchange_lines import EntryLine, line_of


class RecordAnswer(EntryLine, frozen=True, kw_only=True):
    """A record with its body as text or base64, and its facts, each with the fields of its kind.

    `ignored` is why it states none; `cannot_be_understood` what is wrong with it.
    """

    facts: tuple[dict[str, Any], ...] | msgspec.UnsetType = msgspec.UNSET
    ignored: str | msgspec.UnsetType | None = msgspec.UNSET
    cannot_be_understood: str | msgspec.UnsetType = msgspec.UNSET


def record_forms(entry: Entry) -> Forms:
    """Return an entry of the log in its forms."""
    return Forms(answer=lambda: _answer(entry))


def _answer(entry: Entry) -> RecordAnswer:
    line = msgspec.structs.asdict(line_of(entry))
    try:
        translation = translate(entry.record)
    except InvalidEvent as error:
        return RecordAnswer(**line, facts=(), cannot_be_understood=str(error))
    facts = tuple(
        {"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in translation.facts
    )
    return RecordAnswer(**line, facts=facts, ignored=translation.ignored)
