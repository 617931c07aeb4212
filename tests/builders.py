"""Facts, observations and records with defaults, so that a test says only what matters to it."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from events.facts.base import Trust
from events.facts.issue import IssueObserved
from events.facts.pull_request import PullRequestObserved
from events.facts.repository import CensusObserved
from events.identity import derived_id
from events.instant import Instant, format_instant, parse_instant
from events.record import Record
from projections.pull_requests.observation import CensusSighting, IssueSighting, Observation

REPO = "github.com/1001"
YEAR = 2026


def at(text: str) -> Instant:
    """Read `03-05`, `03-05 09:06:00` (both of 2026, UTC) or a whole RFC 3339 time."""
    if "T" in text:
        return parse_instant(text)
    day, _, time = text.partition(" ")
    return parse_instant(f"{YEAR}-{day}T{time or '00:00:00'}Z")


def observed(
    kind: str, when: str, *, number: int = 7, trust: Trust = Trust.FULL, **fields: Any
) -> Observation:
    """Return what a delivery showed at `when`; texts that end in `_at` are times.

    An open state and a creation on 03-01 are shown unless the fields say otherwise.
    """
    full = trust >= Trust.ARCHIVE_FULL
    defaults: dict[str, Any] = {"created_at": "03-01", "state": "open"} if full else {}
    if kind == "closed" and full:
        defaults |= {"state": "closed", "closed_at": when, "merged": False}
    shown = {**defaults, **fields}
    for name in ("created_at", "closed_at", "merged_at"):
        if isinstance(shown.get(name), str):
            shown[name] = at(shown[name])
    fact = PullRequestObserved(number=number, at=at(when), kind=kind, trust=trust, **shown)
    digest = derived_id(repr(fact))
    return Observation(
        k=at(when),
        idx=0,
        record_id=f"{kind}-{digest[:6]}",
        source="webhook",
        digest=digest,
        fact=fact,
    )


def merged(when: str, **fields: Any) -> Observation:
    """Return the delivery of a merge."""
    values = {"merged": True, "merged_at": when, "closed_at": when, "state": "closed", **fields}
    return observed("closed", when, **values)


def merge_commit(when: str, *, trust: Trust = Trust.GIT_SUBJECT, **fields: Any) -> Observation:
    """Return a commit whose subject names the request."""
    values = {"merged": True, "merged_at": when, "base": "main", **fields}
    return observed("merge_commit", when, trust=trust, **values)


def issue(when: str, *, number: int = 7) -> IssueSighting:
    """Return a sight of the number as an issue."""
    fact = IssueObserved(number=number, at=at(when), kind="opened")
    return IssueSighting(
        k=at(when), idx=0, record_id="issue", source="webhook", digest="issue", fact=fact
    )


def census(when: str, *, highest: int, open_numbers: tuple[int, ...] = ()) -> CensusSighting:
    """Return a complete listing."""
    fact = CensusObserved(
        at=at(when),
        listed_from="api",
        highest_number=highest,
        open_numbers=open_numbers,
        complete=True,
    )
    return CensusSighting(k=at(when), record_id=f"census-{when}", fact=fact)


def pull_request_body(number: int, action: str, when: str, **fields: Any) -> dict[str, Any]:
    """Return a `pull_request` payload as GitHub shapes it, with only what is read."""
    moment = format_instant(at(when))
    shown: dict[str, Any] = {
        "number": number,
        "state": "open",
        "title": f"Request {number}",
        "created_at": moment,
        "updated_at": moment,
        "closed_at": None,
        "merged_at": None,
        "merged": False,
        "user": {"login": "dev-a", "type": "User"},
        "labels": [],
        "draft": False,
        "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1001}},
        "head": {"ref": "topic", "sha": "a" * 40, "repo": {"id": 1001}},
    }
    for name, value in fields.items():
        is_time = name.endswith("_at") and isinstance(value, str)
        shown[name] = format_instant(at(value)) if is_time else value
    return {
        "action": action,
        "number": number,
        "pull_request": shown,
        "repository": repository(),
    }


def repository(**fields: Any) -> dict[str, Any]:
    """Return the `repository` object of payloads about acme/widget."""
    return {
        "id": 1001,
        "name": "widget",
        "full_name": "acme/widget",
        "html_url": "https://github.com/acme/widget",
        "default_branch": "main",
        "owner": {"login": "acme"},
        **fields,
    }


def webhook(
    delivery_id: str, event: str, body: Mapping[str, Any] | bytes, *, repo: str = REPO
) -> Record:
    """Return the record of a delivery."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    action = "" if isinstance(body, bytes) or "action" not in body else f".{body['action']}"
    return Record(
        id=delivery_id,
        repository=repo,
        source="webhook",
        type=f"com.github.{event}{action}",
        body=raw,
    )


def pull_request(
    delivery_id: str, number: int, action: str, when: str, *, repo: str = REPO, **fields: Any
) -> Record:
    """Return the record of a `pull_request` delivery."""
    body = pull_request_body(number, action, when, **fields)
    return webhook(delivery_id, "pull_request", body, repo=repo)


def merge(delivery_id: str, number: int, when: str, **fields: Any) -> Record:
    """Return the record of the delivery that says a request was merged at `when`."""
    shown = {"state": "closed", "merged": True, "merged_at": when, "closed_at": when, **fields}
    return pull_request(delivery_id, number, "closed", when, **shown)


def close(delivery_id: str, number: int, when: str, **fields: Any) -> Record:
    """Return the record of the delivery that says a request was closed at `when`."""
    shown = {"state": "closed", "closed_at": when, **fields}
    return pull_request(delivery_id, number, "closed", when, **shown)


def with_body(record: Record, body: bytes) -> Record:
    """Return the same record with another body."""
    return msgspec.structs.replace(record, body=body)


def with_parts(record: Record, **parts: object) -> Record:
    """Return the same record with other top-level parts in its body."""
    return with_body(record, json.dumps({**json.loads(record.body), **parts}).encode())
