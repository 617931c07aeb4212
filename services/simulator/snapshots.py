"""A pull request as payloads show it at the stage's present moment."""

import hashlib
from typing import Literal, Protocol, TypeAlias

from services.simulator.objects import Changes, Commit
from services.simulator.payloads import Json, branch_end, label, repository, user, when
from services.simulator.people import Person
from services.simulator.stage import Stage

Origin: TypeAlias = Literal["same", "fork", "gone"]
"""Where a head lies: in the repository, in a fork, in a fork that is deleted with the close."""


class PullState(Protocol):
    """What is shown of a pull request. Times are seconds since 1970, None for what never was."""

    stage: Stage
    number: int
    author: Person
    title: str
    body: str | None
    base: str
    base_commit: Commit
    head_ref: str
    origin: Origin
    draft: bool
    commits: list[Commit]
    labels: list[str]
    merge_commit: str | None
    merged_by: Person | None
    created: int
    updated: int
    closed_at: int | None
    merged_at: int | None

    @property
    def is_open(self) -> bool:
        """Whether it is open now."""

    @property
    def is_merged(self) -> bool:
        """Whether it is merged."""

    @property
    def head(self) -> Commit:
        """The tip of its own branch."""

    @property
    def changes(self) -> Changes:
        """What it changes as a whole."""


def snapshot(pull: PullState) -> Json:
    """Show a pull request as the API does at this moment."""
    stage, place = pull.stage, pull.stage.place
    api, html = place.api, place.html
    changes = pull.changes
    return {
        "id": 2_000_000 + pull.number,
        "node_id": f"PR_{2_000_000 + pull.number}",
        "url": f"{api}/pulls/{pull.number}",
        "html_url": f"{html}/pull/{pull.number}",
        "diff_url": f"{html}/pull/{pull.number}.diff",
        "issue_url": f"{api}/issues/{pull.number}",
        "number": pull.number,
        "state": "open" if pull.is_open else "closed",
        "locked": False,
        "title": pull.title,
        "user": user(pull.author, place),
        "body": pull.body,
        "created_at": when(pull.created),
        "updated_at": when(pull.updated),
        "closed_at": when(pull.closed_at),
        "merged_at": when(pull.merged_at),
        "merge_commit_sha": _merge_commit(pull),
        "assignees": [],
        "requested_reviewers": [],
        "labels": [label(name, place) for name in pull.labels],
        "milestone": None,
        "draft": pull.draft,
        "head": _head(pull),
        "base": branch_end(
            pull.base,
            pull.base_commit.sha,
            {"login": place.owner, "id": 77, "type": "Organization"},
            stage.repository(),
        ),
        "author_association": "CONTRIBUTOR" if pull.origin != "same" else "MEMBER",
        "auto_merge": None,
        "merged": pull.is_merged,
        "mergeable": None,
        "merged_by": user(pull.merged_by, place) if pull.merged_by else None,
        "comments": 0,
        "review_comments": 0,
        "commits": len(pull.commits),
        "additions": 3 * len(changes),
        "deletions": len(changes),
        "changed_files": len(changes),
    }


def _head(pull: PullState) -> Json:
    stage, place = pull.stage, pull.stage.place
    if pull.origin == "same":
        owner: Json = {"login": place.owner, "id": 77, "type": "Organization"}
        return branch_end(pull.head_ref, pull.head.sha, owner, stage.repository())
    gone = pull.origin == "gone" and not pull.is_open
    fork = repository(place, created=stage.start, pushed=stage.now, owner=pull.author.login)
    return branch_end(
        pull.head_ref, pull.head.sha, user(pull.author, place), None if gone else fork
    )


def _merge_commit(pull: PullState) -> str | None:
    """Return what `merge_commit_sha` shows: the landing, or before it GitHub's test merge.

    A test merge is no object of this repository: GitHub keeps it in a ref that clones leave out.
    """
    if pull.is_merged:
        return pull.merge_commit
    text = f"test merge of {pull.head.sha} into {pull.base_commit.sha}"
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
