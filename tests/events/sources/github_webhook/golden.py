"""Golden files: a payload `<event>__<case>.json`, and beside it under `facts/` what it states.

`python -m tests.events.sources.github_webhook.golden` writes the facts anew. Read the difference
before it is committed: a golden file is only as right as the eyes that went over it.
"""

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.facts.base import Fact
from events.instant import format_instant
from events.record import JSON, Record
from events.sources.github_webhook import HANDLED, translate
from tests import places

PAYLOADS: Final = places.PAYLOADS / "github"
CASES: Final = tuple(sorted(path.stem for path in PAYLOADS.glob("*.json")))
HANDLED_EVENTS: Final = tuple(sorted(HANDLED))


def payload(case: str) -> bytes:
    """Return the payload of a case, as it would come over the wire."""
    return (PAYLOADS / f"{case}.json").read_bytes()


def event_of(case: str) -> str:
    """Return the event of a case: what stands before the two underlines."""
    return case.partition("__")[0]


def delivered(event: str, body: bytes, *, content_type: str = JSON) -> Record:
    """Return a delivery as ingestion would have stored it."""
    return Record(
        id="5d0b3c1e-0000-4000-8000-000000000001",
        repository="github.com/1001",
        source="webhook",
        type=f"com.github.{event}",
        body=body,
        content_type=content_type,
    )


def facts_of(event: str, body: bytes) -> tuple[Fact, ...]:
    """Return the facts of a body, none where it is ignored."""
    outcome = translate(delivered(event, body))
    return () if isinstance(outcome, str) else outcome


def told(event: str, body: bytes) -> Any:
    """Return what a delivery comes to, readable and as JSON has it."""
    try:
        outcome = translate(delivered(event, body))
    except InvalidEvent as error:
        return {"invalid": error.reason, "path": error.path}
    if isinstance(outcome, str):
        return {"ignored": outcome}
    return [_readable(fact) for fact in outcome]


def golden_file(case: str) -> Path:
    """Return where the expected facts of a case stand."""
    return PAYLOADS / "facts" / f"{case}.json"


def _readable(fact: Fact) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
    for name, value in fields.items():
        if (name == "at" or name.endswith("_at")) and isinstance(value, int):
            fields[name] = format_instant(value)
    return {"fact": FACT_NAMES[type(fact)], **fields}


def _write() -> None:
    for case in CASES:
        text = json.dumps(told(event_of(case), payload(case)), indent=2, ensure_ascii=False)
        golden_file(case).parent.mkdir(exist_ok=True)
        golden_file(case).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    _write()
