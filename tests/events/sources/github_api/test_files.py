"""Lists of the API: golden file, names, heads, and what is refused."""

import json

import msgspec
import pytest

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.facts.base import Fact
from events.record import Record, Source
from events.sources import github_api
from events.sources.github_api import FILES_TYPE, files_record
from tests.places import PAYLOADS

AUTHORED = PAYLOADS / "authored"
REPO = "github.com/1001"


def a_record(kind: str, body: bytes, source: Source = "api") -> Record:
    return Record(id="r", repository=REPO, source=source, type=kind, body=body, time=5)


def written(facts: tuple[Fact, ...]) -> object:
    rows = [{"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in facts]
    return json.loads(msgspec.json.encode(rows))


def test_a_golden_list_is_still_read() -> None:
    body = (AUTHORED / "api_files__v1.json").read_bytes()
    facts = github_api.translate(a_record(FILES_TYPE, body))
    assert isinstance(facts, tuple)
    assert written(facts) == json.loads((AUTHORED / "api_files__v1.facts.json").read_text())


def test_the_pages_are_kept_byte_for_byte() -> None:
    page = b'[ {"filename":"a.py",  "extra": {"x": 1e3}} ]'
    assert page in files_record(REPO, 7, [page], time=5).body


def test_equal_lists_get_equal_ids_whenever_they_were_asked_for() -> None:
    ids = {files_record(REPO, 7, [b"[]"], time=time, etag=f'"{time}"').id for time in (1, 2)}
    assert len(ids) == 1
    assert files_record(REPO, 8, [b"[]"], time=1).id not in ids


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"version":2,"number":7,"pages":[]}', "version"),
        (b'{"version":1,"number":7,"pages":[[],{}]}', "pages[1]"),
        (b'{"version":1,"number":7,"pages":[[{"filename":1}]]}', "pages[0]"),
        (b'{"version":1}', ""),
        (b"not JSON", ""),
    ],
)
def test_what_has_another_shape_is_refused_by_name(body: bytes, path: str) -> None:
    with pytest.raises(InvalidEvent) as refused:
        github_api.translate(a_record(FILES_TYPE, body))
    assert refused.value.path == path


def test_other_answers_are_ignored_with_their_type() -> None:
    assert github_api.translate(a_record("shipledger.api.else", b"{}")) == (
        "no reader for shipledger.api.else"
    )
