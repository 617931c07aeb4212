"""Records about roadmaps that persons author: golden files, and ids."""

import json

import msgspec
import pytest

from events.catalog import FACT_NAMES
from events.facts.roadmap import DriftAcknowledged, RoadmapImported, RoadmapItemDecided
from events.record import Record
from events.sources.authored import author, translate
from tests.places import PAYLOADS

AUTHORED = PAYLOADS / "authored"
REPOSITORY = "github.com/1001"
GOLDEN = ["roadmap", "roadmap_item", "drift_acknowledged"]
FACTS = [
    RoadmapImported(number=12, at=5, body="* A\n", title="[ROADMAP]", author="dev-a"),
    RoadmapItemDecided(
        number=12, item="i", decided_at=5, author="dev-a", reason="so", status="delivered"
    ),
    DriftAcknowledged(
        number=12, item="i", digest="d", decided_at=5, author="dev-a", reason="so", holds=False
    ),
]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_record_is_still_read(name: str) -> None:
    body = (AUTHORED / f"{name}__v1.json").read_bytes()
    record = Record(
        id="r1", repository=REPOSITORY, source="curation", type=f"shipledger.{name}", body=body
    )
    facts = translate(record)
    assert isinstance(facts, tuple)
    rows = [{"fact": FACT_NAMES[type(fact)], **msgspec.to_builtins(fact)} for fact in facts]
    expected = json.loads((AUTHORED / f"{name}__v1.facts.json").read_text())
    assert json.loads(msgspec.json.encode(rows)) == expected


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_what_a_person_states_comes_back_and_equal_statements_are_one(
    fact: RoadmapImported | RoadmapItemDecided | DriftAcknowledged,
) -> None:
    record = author(REPOSITORY, fact, time=9)
    assert translate(record) == (fact,)
    assert record.id == author(REPOSITORY, fact, time=10).id
