"""What ingestion reads of a body before it stores it."""

import json
from typing import Any

import pytest

from events.errors import InvalidEvent
from events.instant import parse_instant
from events.record import JSON
from events.sources.github_webhook import KNOWN_ACTIONS, UNUSED, Routing, is_known, read_routing
from events.sources.github_webhook.kinds import IGNORED
from events.sources.github_webhook.translator import HANDLED
from tests.events.sources.github_webhook.golden import event_of, payload


def routed(case: str) -> Routing:
    return read_routing(event_of(case), JSON, payload(case))


def test_a_delivery_is_routed_by_id_and_host_of_its_signed_body() -> None:
    assert routed("pull_request__closed_merged") == Routing(
        action="closed",
        repository_id=1001,
        full_name="acme/widget",
        host="github.com",
        time=parse_instant("2026-03-05T10:00:02Z"),
    )


@pytest.mark.parametrize(
    ("case", "time"),
    [
        ("push__branch", "2026-03-02T08:26:40Z"),
        ("issues__closed", "2026-03-02T10:00:02Z"),
        ("issue_comment__on_merged_pull_request", "2026-03-06T09:00:00Z"),
        ("release__published", "2026-03-10T09:30:01Z"),
        ("release__deleted_old_form", "2026-03-10T09:30:00Z"),
        ("repository__renamed", "2026-03-20T08:10:00Z"),
        ("ping__app", None),
        ("create__branch", None),
    ],
)
def test_the_time_is_that_of_the_object(case: str, time: str | None) -> None:
    assert routed(case).time == (None if time is None else parse_instant(time))


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        (None, Routing()),
        ([], Routing()),
        ({"id": "1001", "html_url": 5, "full_name": 6}, Routing()),
        ({"id": True}, Routing()),
        ({"id": 0}, Routing()),
        ({"id": 2**63}, Routing()),
        ({"html_url": "https://git.example.test:8443/a/b"}, Routing(host="git.example.test:8443")),
        ({"html_url": "https://dev-a@GIT.example.test/a/b"}, Routing(host="git.example.test")),
        ({"html_url": "ftp://git.example.test/a/b"}, Routing()),
        ({"html_url": "https://[half/a"}, Routing()),
        ({"html_url": "https://a b/c"}, Routing()),
    ],
)
def test_a_field_that_is_not_what_it_should_be_counts_as_absent(
    repository: Any, expected: Routing
) -> None:
    body = json.dumps({"repository": repository}).encode()
    assert read_routing("push", JSON, body) == expected


@pytest.mark.parametrize("action", ["", "two words", "UPPER", "a" * 65, 7, None, ["closed"]])
def test_an_action_that_is_no_plain_word_is_left_out(action: Any) -> None:
    assert read_routing("issues", JSON, json.dumps({"action": action}).encode()).action is None


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'"text"', b"{}{}", b"[" * 100_000])
def test_a_body_that_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidEvent):
        read_routing("push", JSON, body)


def test_an_event_is_read_or_ignored_and_never_both() -> None:
    assert not HANDLED.keys() & IGNORED.keys()
    assert UNUSED.keys() <= IGNORED.keys()
    assert KNOWN_ACTIONS.keys() <= HANDLED.keys()
    assert all(reason for reason in IGNORED.values())
    assert is_known("pull_request")
    assert is_known("check_run")
    assert not is_known("teleport")
