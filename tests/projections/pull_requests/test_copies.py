"""A second hook sends each event again, under another id: its copy is no evidence of its own."""

from itertools import permutations

import msgspec
import pytest

from projections.pull_requests.observation import Observation
from projections.pull_requests.texts import text_seen
from projections.pull_requests.timeline import timeline
from tests.builders import at, merge, merge_commit, merged, observed, pull_request, with_parts
from tests.lab import Lab, created


def copy_of(sight: Observation, record_id: str) -> Observation:
    return msgspec.structs.replace(sight, record_id=record_id, k=sight.k + 5)


LIFE = [
    observed("opened", "03-01", base="main", title="A", body="1"),
    observed("edited", "03-02", base="dev", base_from="main", title="B", title_from="A", body="2"),
    observed("closed", "03-03", base="dev"),
    observed("reopened", "03-04", base="dev"),
    merged("03-05", base="dev"),
]


@pytest.mark.parametrize("record_id", ["0", "~"])
def test_a_copy_changes_neither_spans_nor_their_evidence(record_id: str) -> None:
    copies = [copy_of(sight, record_id + sight.record_id) for sight in LIFE]
    assert timeline([*LIFE, *copies]) == timeline(LIFE)
    assert timeline([*copies, *LIFE]) == timeline(LIFE)
    seen = text_seen([*copies, *LIFE], at("03-10"))
    assert seen is not None
    assert seen.record_id in {sight.record_id for sight in LIFE}


def test_a_copy_of_a_commit_is_the_same_landing() -> None:
    landed = merge_commit("03-02")
    for order in permutations([landed, copy_of(landed, "0")]):
        assert [span.record_id for span in timeline(order).states] == [landed.record_id]


@pytest.mark.parametrize("extra", [{}, {"installation": {"id": 9}}], ids=["hook", "app"])
def test_a_settled_answer_names_the_same_records_after_the_copy(extra: dict[str, object]) -> None:
    first = [
        created(),
        ("03-01", pull_request("m", 1, "opened", "03-01")),
        ("03-05", merge("n", 1, "03-05", created_at="03-01")),
    ]
    copies = [
        ("03-06", with_parts(pull_request("a", 1, "opened", "03-01"), **extra)),
        ("03-07", with_parts(merge("b", 1, "03-05", created_at="03-01"), **extra)),
    ]
    evidence = [
        [
            (entry.number, entry.record_id)
            for name in ("opened", "merged")
            for entry in Lab(arrivals).report("2026-03-01", "2026-04-01").entries[name]
        ]
        for arrivals in (first, [*first, *copies])
    ]
    assert evidence[0] == evidence[1] == [(1, "m"), (1, "n")]
