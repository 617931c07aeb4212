"""What the OpenAPI document says of each answer: the schema of its Struct, and its other forms."""

from typing import Any, Final

import msgspec
from fastapi import FastAPI

from services.documents.forms import MEDIA_TYPES

#: Where a route keeps the schemas that its answer refers to, until they are brought together.
_COMPONENTS: Final = "x-components"
_REFERENCE: Final = "#/components/schemas/{name}"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a question was not answered. `message` says what to do."""

    error: str
    message: str


def described(kind: type[msgspec.Struct], description: str, *forms: str) -> dict[str, Any]:
    """Return one response: JSON of this kind, and the other forms."""
    (schema,), components = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    content: dict[str, Any] = {"application/json": {"schema": schema}}
    for form in forms:
        media_type = MEDIA_TYPES[form].partition(";")[0]
        content.setdefault(media_type, {"schema": {"type": "string"}})
    return {"description": description, "content": content, _COMPONENTS: components}


def answers(
    kind: type[msgspec.Struct], *forms: str, settled: bool = False
) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route that answers with this kind, in JSON and in other `forms`."""
    kept: dict[int | str, dict[str, Any]] = {
        304: {"description": "The settled answer that the caller has is still the answer."}
    }
    return {
        200: described(kind, "The answer.", *forms),
        **(kept if settled else {}),
        400: described(Problem, "The question cannot be answered as asked; it says how to ask."),
        404: described(Problem, "Nothing of that name was ever recorded."),
        503: described(Problem, "The log or the read model is away for the moment; ask again."),
    }


def describe_answers(app: FastAPI) -> None:
    """Let the application's OpenAPI document hold the schemas of all answers."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for operations in document["paths"].values():
                for operation in operations.values():
                    for response in operation["responses"].values():
                        schemas |= response.pop(_COMPONENTS, {})
            document["components"]["schemas"] = dict(sorted(schemas.items()))
        return app.openapi_schema or {}

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's documentation extends it
