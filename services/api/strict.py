"""What is asked is asked in known words: a parameter that a route has not is refused, not ignored.

`asof=2026-07-01` would else be answered for now, and nobody would see it.
"""

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

from fastapi import FastAPI, Request

from events.errors import InvalidQuestion
from services.runtime.operations import WITHOUT_PARAMETERS, unknown_parameter

#: No name, tag, time or glob is longer.
_LONGEST: Final = 1_000
#: What others call a parameter of ours.
_OTHER_WORDS: Final = {
    "timezone": "tz",
    "zone": "tz",
    "since": "from",
    "start": "from",
    "until": "to",
    "end": "to",
    "month": "period",
    "at": "as_of",
    "date": "as_of",
    "lang": "language",
    "output": "format",
}


async def refuse_unknown(request: Request) -> None:
    """Raise InvalidQuestion for an unknown or repeated parameter, and for a value of no use.

    Deliveries are no questions: GitHub posts them to whatever address it was given.
    """
    if request.method not in ("GET", "HEAD"):
        return
    asked = request.query_params.multi_items()
    _check_names([name for name, _ in asked], _known(request))
    _check_values([*asked, *request.path_params.items()])


def _known(request: Request) -> list[str]:
    """Return the parameters of the route, as the OpenAPI document has them."""
    app: FastAPI = request.app
    path = getattr(request.scope.get("route"), "path_format", "")
    operation: dict[str, Any] = app.openapi()["paths"].get(path, {}).get("get", {})
    parameters = operation.get("parameters", [])
    return [parameter["name"] for parameter in parameters if parameter["in"] == "query"]


def _check_names(names: list[str], known: list[str]) -> None:
    for name, count in Counter(names).items():
        if name not in known:
            raise InvalidQuestion(unknown_parameter(name, _advice(name, known)))
        if count > 1:
            raise InvalidQuestion(f"{name}: given {count} times; give it once")


def _advice(name: str, known: list[str]) -> str:
    if not known:
        return WITHOUT_PARAMETERS
    nearest = nearest_name(name, known)
    listed = ", ".join(known)
    return f"did you mean {nearest!r}? Known here: {listed}" if nearest else f"known here: {listed}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant, None where none is near."""
    by_letters = {_letters(each): each for each in known}
    other = _OTHER_WORDS.get(_letters(name))
    if other in by_letters.values():
        return other
    near = get_close_matches(_letters(name)[:100], by_letters, n=1, cutoff=0.5)
    return by_letters[near[0]] if near else None


def _letters(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _check_values(values: Iterable[tuple[str, str]]) -> None:
    for name, value in values:
        if len(value) > _LONGEST:
            raise InvalidQuestion(f"{name}: {len(value)} characters; write at most {_LONGEST}")
        if "\x00" in value:
            raise InvalidQuestion(f"{name}: a character of code 0 is in no name; leave it out")
