"""Ping, unknown events, unknown actions (W11), and kinds that nothing uses."""

import json

import pytest

from events.facts.pull_request import PullRequestObserved
from events.instant import parse_instant
from events.sources.github_webhook import UNUSED
from services.intake.webhooks import Policy
from tests.services.intake.webhooks.gateway import Gateway, payload


def test_ping_and_unknown_events_and_actions_are_accepted_kept_and_counted() -> None:
    """W11."""
    with Gateway() as gateway:
        replies = [
            gateway.post(payload("ping__app"), event="ping", delivery="D1"),
            gateway.post(payload("sponsorship__created"), event="sponsorship", delivery="D2"),
            gateway.post(payload("pull_request__unknown_action"), delivery="D3"),
        ]
        assert [reply.status_code for reply in replies] == [202, 202, 202]
        assert [record.type for record in gateway.records("github.com")] == [
            "com.github.ping",
            "com.github.sponsorship.created",
        ]
        assert gateway.metric("unknown_events_total", event="sponsorship") == 1
        assert gateway.metric("unknown_events_total", event="ping") == 0
        unknown = {"event": "pull_request", "action": "stacked"}
        assert gateway.metric("unknown_actions_total", **unknown) == 1
        shown = gateway.facts("github.com/1001")[0]
    assert isinstance(shown, PullRequestObserved)
    assert (shown.state, shown.created_at) == ("open", parse_instant("2026-02-09T09:00:00Z"))


def test_a_ping_of_a_repository_goes_to_that_repository() -> None:
    with Gateway() as gateway:
        gateway.post(payload("ping__repository"), event="ping")
        assert [record.type for record in gateway.records("github.com/1001")] == ["com.github.ping"]


def test_a_thousand_invented_events_do_not_make_a_thousand_time_series() -> None:
    with Gateway() as gateway:
        for place in range(150):
            gateway.post(b"{}", event=f"invented_{place}", delivery=f"D{place}")
        assert gateway.metric("unknown_events_total", event="other") == 50


@pytest.mark.parametrize("event", sorted(UNUSED))
def test_kinds_that_nothing_uses_are_counted_and_not_stored(event: str) -> None:
    body = json.dumps({"action": "completed"}).encode()
    with Gateway() as gateway:
        reply = gateway.post(body, event=event)
        assert (reply.status_code, reply.json()["outcome"]) == (202, "not_stored")
        assert gateway.metric("deliveries_total", event=event, outcome="not_stored") == 1
        assert gateway.post(body, event=event, secret="wrong").status_code == 403
        assert gateway.records() == []


def test_kinds_that_nothing_uses_are_stored_on_request() -> None:
    with Gateway(policy=Policy(store_unused=True)) as gateway:
        gateway.post(payload("check_run__completed"), event="check_run")
        assert [record.type for record in gateway.records()] == ["com.github.check_run.completed"]
        assert gateway.facts() == []


def test_a_body_of_another_event_is_stored_and_left_to_translation() -> None:
    with Gateway() as gateway:
        assert gateway.post(payload("push__branch"), event="pull_request").status_code == 202
        assert [record.type for record in gateway.records()] == ["com.github.pull_request"]
