"""`GET /v1/records/{repository key}/{record id}`: the evidence, as it was received."""

from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Path, Response

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.record import Entry
from events.translate import translate
from services.api.context import Context
from services.api.errors import RESPONSES
from services.logs.exchange_lines import line_of
from services.logs.walk import find

_EXAMPLES: Final = ["github.com/1001"]


def records_router(context: Context) -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["evidence"])

    @router.get(
        "/v1/records/{repository:path}/{record_id}",
        summary="One record as received, with the facts that it states",
        responses=RESPONSES,
        response_class=Response,
    )
    def record(repository: Annotated[str, Path(examples=_EXAMPLES)], record_id: str) -> Response:
        entry = find(context.log, repository, repository, record_id)
        return Response(record_document(entry), media_type="application/json")

    return router


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
