"""A simulated world as GH Archive would hold it: hourly files of public events."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from events.instant import HOUR, Instant, format_instant, to_datetime
from services.simulator import Delivery, World

_TYPES = {
    "create": "CreateEvent",
    "delete": "DeleteEvent",
    "issue_comment": "IssueCommentEvent",
    "issues": "IssuesEvent",
    "pull_request": "PullRequestEvent",
    "pull_request_review": "PullRequestReviewEvent",
    "push": "PushEvent",
    "release": "ReleaseEvent",
}
#: The timeline has a subset of the actions: no edits, no pushes to a request, no renames.
_ACTIONS = {
    "issues": {"opened", "closed", "reopened", "labeled", "unlabeled"},
    "pull_request": {"opened", "closed", "reopened", "labeled", "unlabeled"},
    "release": {"published"},
}


def event_of(delivery: Delivery, *, trimmed: bool) -> dict[str, Any] | None:
    """Return the public event of a delivery, None for one that the timeline does not have."""
    kind = _TYPES.get(delivery.event)
    allowed = _ACTIONS.get(delivery.event)
    if kind is None or (allowed is not None and delivery.action not in allowed):
        return None
    body = json.loads(delivery.body)
    repository, sender = body.pop("repository"), body.pop("sender", None) or {"login": "ghost"}
    if delivery.event == "push":
        body = {"ref": body["ref"], "head": body["after"], "before": body["before"], "size": 1}
    if trimmed and delivery.event == "pull_request":
        body = _trimmed(body)
    return {
        "id": str(10**10 + delivery.index),
        "type": kind,
        "actor": {"id": 1, "login": sender["login"]},
        "repo": {"id": repository["id"], "name": repository["full_name"], "url": "…"},
        "payload": body,
        "public": True,
        "created_at": format_instant(delivery.at).partition(".")[0].rstrip("Z") + "Z",
    }


def _trimmed(body: dict[str, Any]) -> dict[str, Any]:
    shown, action = body["pull_request"], body["action"]
    kept = {name: shown.get(name) for name in ("id", "number", "url", "head", "base")}
    merged = action == "closed" and shown.get("merged")
    return {
        "action": "merged" if merged else action,
        "number": shown["number"],
        "pull_request": kept,
        **({"label": body["label"]} if "label" in body else {}),
    }


def filler(hour: Instant, count: int = 150) -> Iterator[dict[str, Any]]:
    """Yield events of other repositories, one of them with a name that looks like ours."""
    for number in range(count):
        name = "acme/widget-fork" if number == 7 else f"other/project-{number}"
        yield {
            "id": str(hour // 1000 + number),
            "type": "WatchEvent",
            "actor": {"id": 2, "login": "someone"},
            "repo": {"id": 5_000_000 + number, "name": name, "url": "…"},
            "payload": {"action": "started", "about": "acme/widget"},
            "public": True,
            "created_at": format_instant(hour),
        }


def lines_by_hour(world: World, *, trimmed: bool = False) -> Mapping[Instant, list[dict[str, Any]]]:
    """Return the events of a world by the hours of their files, from its first to its last."""
    hours: defaultdict[Instant, list[dict[str, Any]]] = defaultdict(list)
    moments = [delivery.at for delivery in world.deliveries]
    for hour in range(min(moments) // HOUR * HOUR, max(moments) + 1, HOUR):
        hours[hour].extend(filler(hour))
    for delivery in world.deliveries:
        event = event_of(delivery, trimmed=trimmed)
        if event is not None:
            hours[delivery.at // HOUR * HOUR].append(event)
    return hours


def name_of(hour: Instant) -> str:
    """Return the name of the file of an hour: the hour without a zero before it."""
    moment = to_datetime(hour).astimezone(UTC)
    return f"{moment:%Y-%m-%d}-{moment.hour}.json.gz"


def write(folder: Path, hour: Instant, events: list[dict[str, Any]]) -> Path:
    """Write the file of an hour."""
    path = folder / name_of(hour)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines(json.dumps(event).encode() + b"\n" for event in events)
    return path


def at_hour(text: str) -> Instant:
    """Return the hour of a name such as `2020-08-21-9`."""
    day, _, hour = text.rpartition("-")
    moment = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1_000_000 + int(hour) * HOUR
