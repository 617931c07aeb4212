"""The OpenAPI document: valid, with a schema for every answer, which the answers themselves fit."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import msgspec
import openapi_spec_validator
import pytest
from fastapi import FastAPI, Response

from services.api.schemas import answers, describe_answers
from services.simulator import World
from tests.projections.release_inclusion.worlds import recorded
from tests.services.api.test_questions import Api, Client
from tests.worlds import memory_engine, project

WIDGET = "/v1/repositories/{owner}/{name}"
NAMED = {"owner": "acme", "name": "widget"}
JUNE = {"from": "2026-06-01", "to": "2026-07-01"}
PAIR = {"releases": "core_v0.1.0..core_v0.2.0"}

#: A question for each route that answers in JSON, with what is in the small world.
QUESTIONS: list[tuple[str, dict[str, str], dict[str, str]]] = [
    ("/v1/repositories", {}, {}),
    (f"{WIDGET}/report", {}, JUNE),
    (f"{WIDGET}/report", {}, {"period": "2026-06", "tz": "Asia/Shanghai"}),
    (f"{WIDGET}/report/compare", {}, {**JUNE, "compare_known_at": "2026-06-15T00:00:00Z"}),
    (f"{WIDGET}/edition", {}, {"period": "2026-06"}),
    (f"{WIDGET}/edition", {}, JUNE),
    (f"{WIDGET}/editions", {}, {}),
    (f"{WIDGET}/curation", {}, {}),
    (f"{WIDGET}/pulls/{{number}}", {"number": "1"}, {}),
    (f"{WIDGET}/pulls/{{number}}/why", {"number": "1"}, {"period": "2026-06"}),
    (f"{WIDGET}/releases", {}, {}),
    (f"{WIDGET}/pulls/{{number}}/releases", {"number": "1"}, {}),
    (f"{WIDGET}/review", {}, {}),
    (f"{WIDGET}/review", {}, {"period": "2026-06"}),
    (f"{WIDGET}/roadmaps", {}, {}),
    ("/healthz", {}, {}),
    ("/readyz", {}, {}),
]


@pytest.fixture(scope="module")
def client(small_world: World, tmp_path_factory: pytest.TempPathFactory) -> Client:
    api = Api(small_world)
    api.log = recorded(small_world, tmp_path_factory.mktemp("world")).log
    api.model = project(api.log, engine=memory_engine(), clock=api.clock)
    return api.client()


@pytest.fixture(scope="module")
def document(client: Client) -> Any:
    return client.get("/openapi.json").json()


def test_the_document_is_valid_and_refers_to_what_it_holds(document: Any) -> None:
    openapi_spec_validator.validate(document)
    schemas = document["components"]["schemas"]
    assert {name.rpartition("/")[2] for name in references(document)} == set(schemas)


def test_every_answer_in_json_has_a_schema(document: Any) -> None:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                content = response.get("content", {})
                if "application/json" in content:
                    assert content["application/json"]["schema"], (method, path, status)


def test_two_kinds_of_answers_of_one_name_are_told() -> None:
    app = FastAPI()
    describe_answers(app)
    for path, fields in (("/a", [("x", int)]), ("/b", [("y", int)])):
        kind = msgspec.defstruct("Same", fields)
        app.get(path, responses=answers(kind), response_class=Response)(lambda: None)
    with pytest.raises(TypeError, match="two kinds of answers are called Same"):
        app.openapi()


@pytest.mark.parametrize(("path", "names", "asked"), QUESTIONS)
def test_answers_fit_their_schema(
    client: Client, document: Any, path: str, names: dict[str, str], asked: dict[str, str]
) -> None:
    answer = client.get(path.format(**NAMED, **names), params=asked)
    assert answer.status_code == 200, answer.text
    validator(document, path, "200").validate(answer.json())


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        (f"{WIDGET}/report", {}, "400"),
        (f"{WIDGET}/edition", {**PAIR, "period": "2026-06"}, "400"),
        (f"{WIDGET}/edition", {"releases": "v8..v9"}, "404"),
    ],
)
def test_refusals_fit_their_schema(
    client: Client, document: Any, path: str, asked: dict[str, str], status: str
) -> None:
    answer = client.get(path.format(**NAMED), params=asked)
    assert str(answer.status_code) == status, answer.text
    validator(document, path, status).validate(answer.json())


def validator(document: Any, path: str, status: str) -> jsonschema.protocols.Validator:
    response = document["paths"][path]["get"]["responses"][status]
    schema = response["content"]["application/json"]["schema"]
    return jsonschema.Draft202012Validator({**schema, "components": document["components"]})


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for below in part.values():
            yield from references(below)
    elif isinstance(part, list):
        for below in part:
            yield from references(below)
