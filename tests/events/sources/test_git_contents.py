"""What was read of contents: golden files, ids, and what is refused."""

import json

import msgspec
import pytest

from events.catalog import FACT_NAMES
from events.errors import InvalidEvent
from events.facts.files import PatchesIdentified, PatchIdentity
from events.record import Record
from events.sources import git_history
from events.sources.git_contents import FORMATS_TYPE, PATCHES_TYPE, patches_record
from tests.places import PAYLOADS

AUTHORED = PAYLOADS / "authored"
REPO = "github.com/1001"


def a_record(kind: str, body: bytes) -> Record:
    return Record(id="r", repository=REPO, source="git", type=kind, body=body, time=5)


@pytest.mark.parametrize(
    ("kind", "golden"), [(FORMATS_TYPE, "git_formats__v1"), (PATCHES_TYPE, "git_patches__v1")]
)
def test_golden_records_are_still_read(kind: str, golden: str) -> None:
    facts = git_history.translate(a_record(kind, (AUTHORED / f"{golden}.json").read_bytes()))
    assert isinstance(facts, tuple)
    rows = [{"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in facts]
    assert json.loads(msgspec.json.encode(rows)) == json.loads(
        (AUTHORED / f"{golden}.facts.json").read_text()
    )


def test_what_is_written_reads_back_and_equal_batches_get_equal_ids() -> None:
    found = [PatchIdentity(sha="a" * 40, patch="1" * 40), PatchIdentity(sha="b" * 40, since="c")]
    records = [patches_record(REPO, "m", found, time=time) for time in (1, 2)]
    assert records[0].id == records[1].id
    facts = git_history.translate(records[0])
    assert not isinstance(facts, str)
    (fact,) = facts
    assert isinstance(fact, PatchesIdentified)
    assert fact.patches == tuple(found)


@pytest.mark.parametrize("kind", [FORMATS_TYPE, PATCHES_TYPE])
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "truncated"),
        (b'{"version":1}', "missing required field"),
        (b'{"version":2,"rules":"r","method":"m","judgements":[],"patches":[]}', "version 2"),
    ],
)
def test_what_is_not_known_is_refused(kind: str, body: bytes, says: str) -> None:
    with pytest.raises(InvalidEvent, match=says):
        git_history.translate(a_record(kind, body))
