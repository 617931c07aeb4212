"""What each kind of delivery states, case by case."""

import json

import pytest

from events.sources.github_webhook import HANDLED
from tests.events.sources.github_webhook.golden import (
    CASES,
    PAYLOADS,
    event_of,
    golden_file,
    payload,
    told,
)


@pytest.mark.parametrize("case", CASES)
def test_a_delivery_states_what_its_golden_file_says(case: str) -> None:
    expected = json.loads(golden_file(case).read_text(encoding="utf-8"))
    assert told(event_of(case), payload(case)) == expected


def test_golden_files_and_payloads_come_in_pairs() -> None:
    assert {path.stem for path in (PAYLOADS / "facts").glob("*.json")} == set(CASES)


def test_every_event_that_is_more_than_a_mention_has_a_payload() -> None:
    mentions = {"fork", "issue_dependencies", "merge_group", "public", "sub_issues"}
    assert {event_of(case) for case in CASES} >= HANDLED.keys() - mentions
