"""The JSON objects inside deliveries, with GitHub's keys, kept compact.

Pure functions from values to dictionaries; what they show is decided by the callers.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeAlias

import msgspec

from services.simulator.objects import Commit, Stamp, Tree
from services.simulator.people import Person

Json: TypeAlias = dict[str, Any]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where the world lies: host, repository and its id."""

    host: str
    full_name: str
    repository_id: int
    default_branch: str = "main"

    @property
    def owner(self) -> str:
        """The account that owns the repository."""
        return self.full_name.partition("/")[0]

    @property
    def html(self) -> str:
        """The repository's page."""
        return f"https://{self.host}/{self.full_name}"

    @property
    def api_root(self) -> str:
        """Where the host's API lies."""
        own = self.host == "github.com"
        return f"https://api.{self.host}" if own else f"https://{self.host}/api/v3"

    @property
    def api(self) -> str:
        """The repository in the API."""
        return f"{self.api_root}/repos/{self.full_name}"


def when(seconds: int | None) -> str | None:
    """Write a time as GitHub does: UTC, whole seconds."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _local(stamp: Stamp) -> str:
    zone = timezone(timedelta(minutes=stamp.zone))
    return datetime.fromtimestamp(stamp.at, zone).isoformat()


def user(person: Person, place: Place) -> Json:
    """Show an account."""
    return {
        "login": person.login,
        "id": person.id,
        "node_id": f"U_{person.id}",
        "url": f"{place.api_root}/users/{person.login}",
        "html_url": f"https://{place.host}/{person.login}",
        "type": "Bot" if person.bot else "User",
        "site_admin": False,
    }


def repository(place: Place, *, created: int, pushed: int, owner: str | None = None) -> Json:
    """Show the repository, or, with another owner, a fork of it."""
    name = place.full_name.partition("/")[2]
    full_name = f"{owner or place.owner}/{name}"
    api = f"{place.api_root}/repos/{full_name}"
    identity = place.repository_id if owner is None else 500_000 + sum(owner.encode())
    return {
        "id": identity,
        "node_id": f"R_{identity}",
        "name": name,
        "full_name": full_name,
        "private": False,
        "owner": {
            "login": owner or place.owner,
            "id": 77 if owner is None else identity + 1,
            "type": "Organization" if owner is None else "User",
        },
        "html_url": f"https://{place.host}/{full_name}",
        "description": "A small world",
        "fork": owner is not None,
        "url": api,
        "pulls_url": f"{api}/pulls{{/number}}",
        "issues_url": f"{api}/issues{{/number}}",
        "created_at": when(created),
        "updated_at": when(pushed),
        "pushed_at": when(pushed),
        "default_branch": place.default_branch,
        "archived": False,
        "disabled": False,
        "visibility": "public",
    }


def label(name: str, place: Place) -> Json:
    """Show a label."""
    identity = 600_000 + sum(name.encode())
    return {
        "id": identity,
        "url": f"{place.api}/labels/{name}",
        "name": name,
        "color": f"{identity % 0xFFFFFF:06x}",
        "default": False,
        "description": None,
    }


def branch_end(ref: str, sha: str, owner: Json, repo: Json | None) -> Json:
    """Show the head or base of a pull request; `repo` is None where its fork is gone."""
    return {
        "label": f"{owner['login']}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": owner,
        "repo": repo,
    }


def pushed_commit(commit: Commit, parent: Tree, place: Place, *, distinct: bool) -> Json:
    """Show a commit inside a push; it names no parents, as GitHub's do not."""
    files: dict[str, list[str]] = {"added": [], "removed": [], "modified": []}
    for path, blob in sorted(commit.changes.items()):
        known = parent.blob(path) is not None
        kind = "removed" if blob is None else "modified" if known else "added"
        files[kind].append(path)
    return {
        "id": commit.sha,
        "tree_id": commit.tree.sha,
        "distinct": distinct,
        "message": commit.message.rstrip("\n"),
        "timestamp": _local(commit.committer),
        "url": f"{place.html}/commit/{commit.sha}",
        "author": _signer(commit.author),
        "committer": _signer(commit.committer),
        **files,
    }


def _signer(stamp: Stamp) -> Json:
    return {"name": stamp.name, "email": stamp.email}


def issue(
    place: Place,
    number: int,
    *,
    author: Person,
    title: str,
    body: str | None,
    labels: Iterable[str],
    times: Mapping[str, int | None],
    state_reason: str | None,
) -> Json:
    """Show an issue; `times` are `created`, `updated` and `closed`, in seconds."""
    return {
        "id": 3_000_000 + number,
        "node_id": f"I_{3_000_000 + number}",
        "url": f"{place.api}/issues/{number}",
        "html_url": f"{place.html}/issues/{number}",
        "number": number,
        "title": title,
        "user": user(author, place),
        "labels": [label(name, place) for name in labels],
        "state": "open" if times["closed"] is None else "closed",
        "state_reason": state_reason,
        "locked": False,
        "assignees": [],
        "milestone": None,
        "comments": 0,
        "created_at": when(times["created"]),
        "updated_at": when(times["updated"]),
        "closed_at": when(times["closed"]),
        "author_association": "MEMBER",
        "body": body,
    }
