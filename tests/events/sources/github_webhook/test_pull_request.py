"""The rules of pull request payloads that are easy to get wrong, each by itself."""

import json
from typing import Any

import pytest

from events.errors import InvalidEvent
from events.facts.base import Trust
from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import RepositoryObserved
from events.instant import parse_instant
from tests.events.sources.github_webhook.golden import facts_of, payload


def observed(case: str, **changes: Any) -> PullRequestObserved:
    body = json.loads(payload(case))
    body["pull_request"].update(changes)
    fact = facts_of("pull_request", json.dumps(body).encode())[0]
    assert isinstance(fact, PullRequestObserved)
    return fact


def test_a_test_merge_is_never_taken_for_a_landing() -> None:
    assert json.loads(payload("pull_request__closed_unmerged"))["pull_request"]["merge_commit_sha"]
    assert observed("pull_request__closed_unmerged").merge_commit_sha is None


@pytest.mark.parametrize(
    "flags",
    [
        {"merged": True, "merged_at": None},
        {"merged": False, "merged_at": "2026-03-05T10:00:01Z"},
        {"merged": None, "merged_at": "2026-03-05T10:00:01Z"},
    ],
)
def test_either_sign_of_a_merge_makes_the_commit_a_landing(flags: dict[str, Any]) -> None:
    assert observed("pull_request__closed_merged", **flags).merge_commit_sha is not None


def test_a_branch_of_a_fork_is_no_branch_of_the_repository() -> None:
    assert observed("pull_request__opened").head == "faster-parser"
    assert observed("pull_request__opened_from_fork").head is None
    assert observed("pull_request__deleted_fork_and_account").head is None


def test_a_closed_object_without_any_word_on_merging_shows_no_state() -> None:
    fact = observed("pull_request__closed_outcome_not_shown")
    assert (fact.state, fact.closed_at, fact.merged) == (None, None, None)
    assert fact.created_at == parse_instant("2026-03-02T09:00:00Z")


def test_an_issue_object_that_is_a_pull_request_is_never_called_an_issue() -> None:
    for event in ("issues", "issue_comment"):
        facts = facts_of(event, payload("issue_comment__on_pull_request"))
        assert not any(isinstance(fact, IssueObserved) for fact in facts)
        (shown,) = (fact for fact in facts if isinstance(fact, PullRequestObserved))
        assert shown.base is None


def test_every_webhook_object_has_full_trust() -> None:
    assert observed("pull_request__opened").trust is Trust.FULL


def test_only_the_announcement_of_a_repository_proves_its_creation() -> None:
    created = facts_of("repository", payload("repository__created"))[0]
    renamed = facts_of("repository", payload("repository__renamed"))[0]
    assert isinstance(created, RepositoryObserved)
    assert isinstance(renamed, RepositoryObserved)
    assert (created.created, created.at) == (True, parse_instant("2026-03-01T08:00:00Z"))
    assert (renamed.created, renamed.full_name) == (False, "newco/gadget")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"base": {"ref": 7}}, "pull_request.base.ref"),
        ({"updated_at": "yesterday"}, "pull_request.updated_at"),
        ({"updated_at": "2026-03-02T09:00:00"}, "pull_request.updated_at"),
        ({"number": 2**63}, "pull_request.number"),
        ({"labels": [{"name": None}]}, "pull_request.labels[0].name"),
        ({"merge_commit_sha": "not a SHA"}, "pull_request.merge_commit_sha"),
        ({"state": "ajar"}, "pull_request.state"),
    ],
)
def test_what_does_not_fit_is_named_with_its_path(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidEvent) as caught:
        observed("pull_request__opened", **changes)
    assert caught.value.path == path
    assert str(caught.value).startswith(f"{path}: ")


def test_a_body_of_another_event_is_refused() -> None:
    with pytest.raises(InvalidEvent, match=r"^pull_request: required"):
        facts_of("pull_request", payload("push__branch"))
