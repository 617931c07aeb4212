"""A bench for small cases: issues, requests and git arrive when a test says; boards are asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from events.errors import NotFound
from events.instant import format_instant
from events.record import Record
from projections.release_inclusion.view import HistoryCache, view
from projections.roadmap_status.context import Convention, RoadmapContext, RoadmapView, ViewedItem
from projections.roadmap_status.editions.cache import EditionCache
from tests.builders import REPO, at, repository, webhook
from tests.projections.release_inclusion.bench import LAST, ROLES, Arrival
from tests.worlds import log_of, project

ROADMAP = 50


class RoadmapBench:
    """Records with their times of arrival, in the read model."""

    def __init__(self, *arrivals: Arrival, convention: Convention | None = None) -> None:
        found = [(at(when), record) for when, record in arrivals]
        self.log = log_of([r for _, r in found], [when for when, _ in found].__getitem__)
        self.model = project(self.log)
        self.convention = convention or Convention(roles=ROLES)
        self.histories, self.editions = HistoryCache(), EditionCache()

    @contextmanager
    def desk(self, *, as_of: str = LAST, known_at: str = LAST) -> Iterator[RoadmapContext]:
        """Open the desk of a moment."""
        moment = at(as_of), at(known_at)
        with self.model.snapshot() as snapshot:
            try:
                seen = view(snapshot, REPO, *moment, roles=ROLES, families=(), cache=self.histories)
            except NotFound:
                seen = None
            yield RoadmapContext(
                snapshot,
                REPO,
                *moment,
                view=seen,
                default_branch="main",
                convention=self.convention,
                cache=self.editions,
            )

    def board(self, number: int = ROADMAP, **moment: str) -> RoadmapView:
        """Ask for a roadmap."""
        with self.desk(**moment) as desk:
            return desk.view_of(number)

    def item(self, title: str, **moment: str) -> ViewedItem:
        """Ask for the item of a title."""
        (found,) = [
            one
            for one in self.board(ROADMAP, **moment).items
            if one.judged.match.item.title == title
        ]
        return found

    def told(self, title: str, **moment: str) -> str:
        """Return status and branches of an item in one line."""
        status = self.item(title, **moment).judged.status
        on = f" on {' and '.join(status.branches)}" if status.branches else ""
        return f"{status.kind}{on}"

    def drifts(self, title: str, **moment: str) -> list[str]:
        """Return the kinds of drift of an item, the gravest first."""
        return [one.kind.value for one in self.item(title, **moment).drift]

    def hints(self, title: str, **moment: str) -> list[str]:
        """Return the kinds of hints of an item."""
        return [one.kind.name for one in self.item(title, **moment).hints]


def issue(number: int, when: str, action: str = "opened", **fields: Any) -> Arrival:
    """Return an `issues` delivery, arriving when it happened."""
    moment = format_instant(at(when))
    shown: dict[str, Any] = {
        "number": number,
        "title": f"Issue {number}",
        "created_at": format_instant(at("01-01")),
        "updated_at": moment,
        "state": "open",
        "state_reason": None,
        "closed_at": None,
        "body": "",
        "labels": [],
        "user": {"login": "dev-a", "type": "User"},
        **fields,
    }
    if shown["state"] == "closed" and shown["closed_at"] is None:
        shown["closed_at"] = moment
    body = {"action": action, "issue": shown, "repository": repository()}
    return when, webhook(f"issue-{number}-{action}-{when}", "issues", body)


def closed_issue(number: int, when: str, reason: str = "completed") -> Arrival:
    """Return the delivery of a close."""
    return issue(number, when, "closed", state="closed", state_reason=reason)


def roadmap(text: str, when: str = "02-01", number: int = ROADMAP, **fields: Any) -> Arrival:
    """Return an edition of a roadmap."""
    shown = {"title": f"[ROADMAP] {number}", "labels": [{"name": "roadmap"}], **fields}
    return issue(number, when, "edited", body=text, **shown)


def edit(
    before: str | None, text: str, when: str, *, title_from: str | None = None, **fields: Any
) -> Arrival:
    """Return an edit of a roadmap that tells the text (None: only a title) that it replaced."""
    arrived, record = roadmap(text, when, **fields)
    body = json.loads(record.body)
    body["changes"] = {} if before is None else {"body": {"from": before}}
    if title_from is not None:
        body["changes"]["title"] = {"from": title_from}
    return arrived, webhook(f"edit-{when}", "issues", body)


def comment(number: int, when: str, text: str, action: str = "created", own: int = 9) -> Arrival:
    """Return a comment under an issue."""
    moment = format_instant(at(when))
    _, record = roadmap("", when, number)
    issue_shown = _issue_of(record)
    shown = {
        "id": own,
        "created_at": moment,
        "updated_at": moment,
        "body": text,
        "user": {"login": "dev-b", "type": "User"},
    }
    body = {
        "action": action,
        "issue": issue_shown,
        "comment": shown,
        "repository": repository(),
    }
    return when, webhook(f"comment-{own}-{action}-{when}", "issue_comment", body)


def sub_issue(parent: int, child: int, when: str, *, linked: bool = True) -> Arrival:
    """Return a `sub_issues` delivery."""
    shown = {n: _issue_of(issue(n, when)[1]) for n in (parent, child)}
    body = {
        "action": "sub_issue_added" if linked else "sub_issue_removed",
        "parent_issue": shown[parent],
        "sub_issue": shown[child],
        "repository": repository(),
    }
    return when, webhook(f"sub-{parent}-{child}-{when}", "sub_issues", body)


def _issue_of(record: Record) -> Any:
    import json

    return json.loads(record.body)["issue"]
