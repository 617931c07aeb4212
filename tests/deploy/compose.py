"""docker-compose.yml as tests read it."""

import re
from typing import Any, Final

import yaml

from tests.places import ROOT

DEPLOY: Final = ROOT / "deploy"
_VARIABLE: Final = re.compile(r"\$\{(?P<name>[A-Z_]+)(?:(?P<kind>:[-?])(?P<rest>[^}]*))?\}")


def services() -> dict[str, dict[str, Any]]:
    """Return the services by name."""
    found: dict[str, dict[str, Any]] = document()["services"]
    return found


def document() -> dict[str, Any]:
    """Return the whole file, merge keys and anchors resolved."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return found


def ours() -> dict[str, dict[str, Any]]:
    """Return the services that run our image."""
    return {name: one for name, one in services().items() if one["image"].startswith("shipledger")}


def filled_in(text: str, given: dict[str, str]) -> str:
    """Put values in place of variables, as compose does."""

    def value(found: re.Match[str]) -> str:
        default = found["rest"] if found["kind"] == ":-" else ""
        return given.get(found["name"], default)

    return _VARIABLE.sub(value, text)


def variables(text: str) -> list[tuple[str, str]]:
    """Return (name, kind) of the variables in a text; kind `:?` means that it must be set."""
    return [(found["name"], found["kind"] or "") for found in _VARIABLE.finditer(text)]
