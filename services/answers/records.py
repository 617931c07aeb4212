"""One record as evidence: as it was received, with the facts that it states."""

from typing import Any

import msgspec

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.record import Entry
from events.translate import translate
from services.logs.exchange_lines import line_of


def record_document(entry: Entry) -> bytes:
    """Return an entry as JSON: its attributes, its body as text or base64, and its facts."""
    line = msgspec.to_builtins(line_of(entry))
    return msgspec.json.format(msgspec.json.encode({**line, **_facts(entry)}), indent=2)


def _facts(entry: Entry) -> dict[str, Any]:
    try:
        translation = translate(entry.record)
    except InvalidEvent as error:
        return {"facts": [], "cannot_be_understood": str(error)}
    facts = [
        {"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in translation.facts
    ]
    return {"facts": facts, "ignored": translation.ignored}
