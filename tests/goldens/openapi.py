"""The OpenAPI document as a list: what can be asked, and by which parameters; no schemas."""

import json
from typing import Any


def parameters_of(document: bytes) -> str:
    """Return each operation with its parameters, in the order in which they are described."""
    paths: dict[str, dict[str, Any]] = json.loads(document)["paths"]
    lines = []
    for path, operations in paths.items():
        for method, operation in operations.items():
            lines.append(f"{method.upper()} {path}")
            for each in operation.get("parameters", ()):
                needed = ", required" if each.get("required") else ""
                lines.append(f"    {each['in']} {each['name']}{needed}")
    return "\n".join(lines) + "\n"
