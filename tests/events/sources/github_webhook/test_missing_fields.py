"""A payload that lacks a field loses that field, and nothing else."""

import json
from typing import Any

import msgspec
import pytest

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.facts.git import RefObserved
from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.instant import parse_instant
from tests.events.sources.github_webhook.golden import facts_of, payload

#: A field of the payload -> the fields of the fact that are told by it alone.
LOST = {
    "state": {"state"},
    "title": {"title"},
    "body": {"body"},
    "base": {"base"},
    "head": {"head", "head_sha"},
    "user": {"author", "author_is_bot"},
    "labels": {"labels"},
    "milestone": {"milestone"},
    "draft": {"draft"},
    "commits": {"commits"},
    "created_at": {"created_at"},
    "closed_at": {"closed_at"},
    "merged_at": {"merged_at"},
    "merged": {"merged"},
    "merged_by": {"merger", "merger_is_bot"},
    "merge_commit_sha": {"merge_commit_sha"},
}


def shown(case: str, body: dict[str, Any]) -> PullRequestObserved:
    (fact, *_) = facts_of(case.partition("__")[0], json.dumps(body).encode())
    assert isinstance(fact, PullRequestObserved)
    return fact


def differing(fact: Fact, other: Fact) -> set[str]:
    before, after = msgspec.structs.asdict(fact), msgspec.structs.asdict(other)
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("how", ["absent", "null"])
@pytest.mark.parametrize("field", LOST)
@pytest.mark.parametrize(
    "case",
    [
        "pull_request__closed_merged",
        "pull_request__labeled",
        "pull_request_review_comment__created",
    ],
)
def test_a_field_that_lacks_takes_nothing_else_with_it(case: str, field: str, how: str) -> None:
    body = json.loads(payload(case))
    whole = shown(case, body)
    if how == "absent":
        body["pull_request"].pop(field, None)
    else:
        body["pull_request"][field] = None
    assert differing(whole, shown(case, body)) <= LOST[field]


@pytest.mark.parametrize(
    ("path", "lost"),
    [
        (("pull_request", "base", "ref"), {"base"}),
        (("pull_request", "head", "ref"), {"head"}),
        (("pull_request", "head", "sha"), {"head_sha"}),
        (("pull_request", "head", "repo"), {"head"}),
        (("pull_request", "user", "login"), {"author"}),
        (("pull_request", "user", "type"), {"author_is_bot"}),
        (("pull_request", "number"), set()),
        (("number",), set()),
        (("action",), {"kind", "label_added"}),
        (("label",), {"label_added"}),
        (("repository", "id"), {"head"}),
        (("repository",), {"head"}),
    ],
)
def test_what_lies_deeper_is_lost_alone_too(path: tuple[str, ...], lost: set[str]) -> None:
    case = "pull_request__labeled"
    body = json.loads(payload(case))
    whole = shown(case, body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    assert differing(whole, shown(case, body)) == lost


def test_a_snapshot_without_its_time_dates_from_the_latest_time_that_it_shows() -> None:
    case = "pull_request__closed_merged"
    body = json.loads(payload(case))
    whole = shown(case, body)
    del body["pull_request"]["updated_at"]
    body["repository"].pop("updated_at", None)
    body["repository"].pop("pushed_at", None)
    fact = shown(case, body)
    assert differing(whole, fact) <= {"at"}
    assert fact.at == whole.merged_at


def test_an_opening_dates_the_creation() -> None:
    body = json.loads(payload("pull_request__opened"))
    del body["pull_request"]["created_at"]
    assert shown("pull_request__opened", body).created_at == parse_instant(
        body["pull_request"]["updated_at"]
    )


def test_a_push_without_what_was_before_still_moves_the_ref() -> None:
    body = json.loads(payload("push__branch"))
    (whole, *_) = facts_of("push", json.dumps(body).encode())
    for lost in ("before", "forced"):
        del body[lost]
    (fact, *_) = facts_of("push", json.dumps(body).encode())
    assert isinstance(fact, RefObserved)
    assert differing(whole, fact) == {"before", "forced"}


@pytest.mark.parametrize(
    ("event", "body"),
    [
        ("pull_request", {"action": "opened", "pull_request": {"state": "open"}}),
        ("pull_request", {"action": "opened", "pull_request": {"number": 7}}),
        ("pull_request", {"action": "opened"}),
        ("push", {"ref": "refs/heads/main", "after": "a" * 40}),
    ],
)
def test_what_has_no_number_or_no_time_at_all_is_no_observation(
    event: str, body: dict[str, Any]
) -> None:
    with pytest.raises(InvalidEvent, match="required, and missing"):
        facts_of(event, json.dumps(body).encode())


def test_a_user_without_a_type_is_neither_a_bot_nor_a_person() -> None:
    body = json.loads(payload("pull_request__opened"))
    for kind, is_bot in (("Bot", True), ("User", False), ("Mannequin", False), (None, None)):
        body["pull_request"]["user"] = {"login": "dev-a", "type": kind}
        assert shown("pull_request__opened", body).author_is_bot is is_bot
    del body["pull_request"]["user"]["type"]
    fact = shown("pull_request__opened", body)
    assert (fact.author, fact.author_is_bot) == ("dev-a", None)


@pytest.mark.parametrize(
    "changes",
    [
        {"new_issue": {"number": 3}, "new_repository": {}},
        {"new_issue": {}, "new_repository": {"full_name": "acme/gadget"}},
        {"new_issue": None, "new_repository": {"full_name": None}},
        None,
    ],
)
def test_a_transfer_that_does_not_tell_where_to_still_shows_the_issue(
    changes: dict[str, Any] | None,
) -> None:
    issue = {"number": 60, "title": "Thing", "updated_at": "2026-01-10T00:00:00Z"}
    body = {"action": "transferred", "issue": issue, "changes": changes}
    (fact,) = facts_of("issues", json.dumps(body).encode())
    assert isinstance(fact, IssueObserved)
    assert (fact.number, fact.kind, fact.title, fact.moved_to) == (60, "transferred", "Thing", None)
