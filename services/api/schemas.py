"""What the OpenAPI document says of each answer: the schema of its Struct, and its other forms."""

from typing import Any, Final, TypeAlias

import msgspec
from fastapi import FastAPI

from services.documents.forms import MEDIA_TYPES

#: Where a route keeps the schemas that its answer refers to, until they are brought together.
_COMPONENTS: Final = "x-components"
_REFERENCE: Final = "#/components/schemas/{name}"


Kind: TypeAlias = type[msgspec.Struct] | tuple[type[msgspec.Struct], ...]
"""What a route answers with: one Struct, or one of several."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why a question was not answered. `message` says what to do."""

    error: str
    message: str


def described(kind: Kind, description: str, *forms: str) -> dict[str, Any]:
    """Return one response: JSON of this kind (a Struct, or one of several), and other forms."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    content: dict[str, Any] = {"application/json": {"schema": schema}}
    for form in forms:
        media_type = MEDIA_TYPES[form].partition(";")[0]
        content.setdefault(media_type, {"schema": {"type": "string"}})
    return {"description": description, "content": content, _COMPONENTS: components}


PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    400: described(Problem, "The question cannot be answered as asked; it says how to ask."),
    404: described(Problem, "Nothing of that name was ever recorded."),
    503: described(Problem, "The log or the read model is away for the moment; ask again."),
}
_KEPT: Final = {"description": "The settled answer that the caller has is still the answer."}


def answers(kind: Kind, *forms: str, settled: bool = False) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route that answers with this kind, in JSON and in other `forms`."""
    kept: dict[int | str, dict[str, Any]] = {304: _KEPT} if settled else {}
    return {200: described(kind, "The answer.", *forms), **kept, **PROBLEMS}


def describe_answers(app: FastAPI) -> None:
    """Let the application's OpenAPI document hold the schemas of all answers."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = original()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for operations in document["paths"].values():
                for operation in operations.values():
                    for response in operation["responses"].values():
                        for name, schema in response.pop(_COMPONENTS, {}).items():
                            if schemas.setdefault(name, schema) != schema:
                                raise TypeError(f"two kinds of answers are called {name}")
            document["components"]["schemas"] = dict(sorted(schemas.items()))
        return app.openapi_schema or {}

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's documentation extends it
