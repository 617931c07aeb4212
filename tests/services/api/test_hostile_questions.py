"""Whatever is written into a parameter of any route: an answer, or a problem with what to do."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
import pytest

from services.simulator import simulate
from tests.projections.release_inclusion.worlds import recorded
from tests.services.api.test_questions import Api, Client
from tests.worlds import memory_engine, project

TIMES: Final = (
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00Z",
    "0001-01-01",
    "0000-00-00",
    "1582-10-15",
    "1969-12-31T23:59:59Z",
    "9998-12-31",
    "9999-12-31",
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59.999999Z",
    "99999-01-01T00:00:00Z",
    "2026-07-01T00:00:00+99:99",
    "2026-07-01T00:00:00+23:59",
    "2026-07-01T00:00:00 08:00",
    "2026-02-30",
    "2026-W54",
)
PERIODS: Final = (
    *("0000", "0001", "0001-01", "0001-Q1", "0001-W01", "9999", "9999-12", "9999-Q4", "9999-W52"),
    *("9998", "9998-12", "9998-W53", "1969", "2026-13", "2026-Q5", "2026-W00", "2026-W53"),
    *("0001-01-01..9999-12-31", "9999-12-30..9999-12-31", "2026-07-01..2026-06-01", "..", "x.."),
    "\u0662\u0660\u0662\u0666-\u0660\u0667",
)
NUMBERS: Final = (
    *("0", "-1", "1e3", "1.5", "0x10", " 1", "1_000", "\u0661", "NaN", "true"),
    *(str(2**31), str(2**31 - 1), str(2**63 - 1), str(2**63), str(-(2**63)), str(2**64)),
    "9" * 5_000,
)
TEXTS: Final = (
    *("", " ", "..", "../..", "/etc/passwd", "America", "localtime", "posixrules", "utc", "+08:00"),
    *("v1..", "..v1", "v1...v2", "%", "%00", "\x00", "\x1b[31m", "\u202e", "\U0001f6a2", "'"),
    *("*" * 200, "[" * 200, "{a,b}" * 50, "(" * 200, "\\", "x" * 20_000, "<script>", "\r\nX: y"),
)
EVERYWHERE: Final = (
    *(TIMES[0], TIMES[8], "2026-07-01T00:00:00 08:00", "0001", "9999-W52", str(2**63), "9" * 900),
    *(
        "",
        "..",
        "%00",
        "\x00",
        "\x1b[31m",
        "\U0001f6a2",
        "*" * 200,
        "[" * 200,
        "x" * 20_000,
        "\r\nX: y",
    ),
)
#: More for those parameters that are read as something else than a text.
MORE: Final = {
    **dict.fromkeys(("as_of", "known_at", "compare_known_at"), TIMES),
    **dict.fromkeys(("from", "to", "period"), (*TIMES, *PERIODS)),
    **dict.fromkeys(("number", "issue", "days"), NUMBERS),
    **dict.fromkeys(("tz", "releases", "format", "tag", "record_id"), TEXTS),
}
#: What is asked beside the parameter that is tried, where the route needs it.
GOOD: Final = {
    "owner": "acme",
    "name": "widget",
    "number": "1",
    "issue": "1",
    "tag": "core_v0.1.0",
    "repository": "github.com/1001",
    "record_id": "x",
}
BESIDE: Final = {"from": "2026-06-01T00:00:00Z", "to": "2026-07-01T00:00:00Z"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    world = simulate(5, pulls=6, days=40)
    api = Api(world)
    api.log = recorded(world, tmp_path_factory.mktemp("world")).log
    api.model = project(api.log, engine=memory_engine(), clock=api.clock)
    return api.client()


@pytest.fixture(scope="module")
def routes(client: Client) -> dict[str, list[dict[str, Any]]]:
    """The parameters of each route that is asked, as the OpenAPI document has them."""
    paths = client.get("/openapi.json").json()["paths"]
    return {
        path: operations["get"].get("parameters", [])
        for path, operations in paths.items()
        if "get" in operations
    }


def filled(path: str, changed: dict[str, str]) -> str:
    values = {**GOOD, **changed}
    return re.sub(r"\{(\w+)(?::path)?\}", lambda part: quote(values[part[1]], safe=""), path)


def questions(path: str, parameters: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield each question with one hostile value, and the name of its parameter."""
    queried = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
    beside = {name: value for name, value in BESIDE.items() if name in queried}
    for parameter in parameters:
        name = parameter["name"]
        for value in {*EVERYWHERE, *MORE.get(name, ())}:
            if parameter["in"] == "path":
                yield f"{filled(path, {name: value})}?{urlencode(beside)}", name
            elif parameter["in"] == "query":
                kept = {} if name in ("period", "releases") else beside
                yield f"{filled(path, {})}?{urlencode({**kept, name: value})}", name


def asked(client: Client, questions: Sequence[str]) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(client.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as opened:
            return [await opened.get(question) for question in questions]

    return asyncio.run(ask())


def test_no_value_of_any_parameter_of_any_route_is_a_fault(
    client: Client, routes: dict[str, list[dict[str, Any]]]
) -> None:
    faults = {}
    for path, parameters in routes.items():
        tried = list(questions(path, parameters))
        answers = asked(client, [question for question, _ in tried])
        for (question, name), answer in zip(tried, answers, strict=True):
            told = answer.json()["message"] if answer.status_code in (400, 404) else "-"
            fine = answer.status_code in (200, 307, 400, 404) and 0 < len(told) < 1_500
            if not fine:
                faults[path, name, question[-60:]] = (answer.status_code, answer.text[:100])
    assert faults == {}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("0001-01-01T00:00:00+14:00", "the years 1900 to 9998"),
        ("0001-01-01T12:00:00Z", "the years 1900 to 9998"),
        ("9999-12-31T23:59:59-14:00", "the years 1900 to 9998"),
        ("2026-07-01T00:00:00 08:00", "2026-07-01T00:00:00%2B08:00"),
        ("2026-07-01T00:00:00", "a time with its offset"),
    ],
)
def test_a_time_that_cannot_be_read_is_answered_with_how_to_write_it(
    client: Client, routes: dict[str, list[dict[str, Any]]], value: str, told: str
) -> None:
    for path, parameters in routes.items():
        names = {parameter["name"] for parameter in parameters}
        for name in names & {"as_of", "known_at", "from"}:
            others = {**BESIDE, "from": BESIDE["from"]} if "from" in names else {}
            answer = client.get(filled(path, {}), params={**others, name: value})
            assert answer.status_code == 400, (path, name)
            assert told in answer.json()["message"], (path, name)


@pytest.mark.parametrize(
    ("parameter", "nearest"),
    [
        ("asof", "as_of"),
        ("AsOf", "as_of"),
        ("as-of", "as_of"),
        ("known", "known_at"),
        ("knownat", "known_at"),
        ("fom", "from"),
        ("since", "from"),
        ("until", "to"),
        ("timezone", "tz"),
        ("fromat", "format"),
        ("qqqqqqqq", None),
        ("", None),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_nearest_known_one(
    client: Client, routes: dict[str, list[dict[str, Any]]], parameter: str, nearest: str | None
) -> None:
    for path, parameters in {**routes, "/": []}.items():
        names = {known["name"] for known in parameters if known["in"] == "query"}
        answer = client.get(filled(path, {}), params={parameter: "2026-07-01T00:00:00Z"})
        assert answer.status_code == 400, path
        message = answer.json()["message"]
        assert f"unknown parameter {parameter!r}" in message
        assert all(name in message for name in names)
        if nearest in names:
            assert f"did you mean {nearest!r}?" in message, path


def test_a_parameter_that_is_given_twice_is_refused(client: Client) -> None:
    path = filled("/v1/repositories/{owner}/{name}/releases", {})
    answer = client.get(f"{path}?as_of=2026-07-01T00:00:00Z&as_of=2026-06-01T00:00:00Z")
    assert answer.status_code == 400
    assert "as_of: given 2 times" in answer.json()["message"]
