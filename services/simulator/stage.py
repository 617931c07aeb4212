"""The stage of a world: its clock, its agenda, its one source of chance, and what was delivered.

Everything that happens is a script: a generator that acts, then yields how many seconds it waits.
The agenda wakes scripts in the order of time, then of arrival; so a world is the same for the same
seed, whatever the process.
"""

import hashlib
import itertools
import random
import uuid
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final, TypeAlias

import msgspec

from services.simulator.delivery import Delivery
from services.simulator.ledger import Ledger
from services.simulator.objects import EMPTY, ZERO_ID, Commit
from services.simulator.payloads import Json, Place, pushed_commit, repository, user, when
from services.simulator.people import Person
from services.simulator.repository import Repository

Script: TypeAlias = Iterator[int]

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * HOUR


class Stage:
    """Where scripts act. Times are whole seconds since 1970."""

    def __init__(self, place: Place, *, seed: int, start: int, end: int) -> None:
        self.place = place
        self.rng = random.Random(seed)  # noqa: S311 - chance, not secrets
        self.start, self.end, self.now = start, end, start
        self.git = Repository()
        self.ledger = Ledger()
        self.deliveries: list[Delivery] = []
        self.last_number = 0
        self._seed = seed
        self._agenda: list[tuple[int, int, Script]] = []
        self._order = itertools.count()
        self._names = itertools.count(1)

    # -- time -------------------------------------------------------------------------------

    def begin(self, script: Script, at: int | None = None) -> None:
        """Put a script on the agenda, now or at a later second."""
        heappush(self._agenda, (self.now if at is None else at, next(self._order), script))

    def run(self) -> None:
        """Let everything happen until the end; what would come later never does."""
        while self._agenda and self._agenda[0][0] < self.end:
            self.now, _, script = heappop(self._agenda)
            wait = next(script, None)
            if wait is not None:
                self.begin(script, self.now + wait)

    def between(self, low: float, high: float) -> int:
        """Return a random number of seconds in a range given in hours."""
        return round(self.rng.uniform(low, high) * HOUR)

    # -- names ------------------------------------------------------------------------------

    def number(self) -> int:
        """Take the next number, shared by pull requests and issues."""
        self.last_number += 1
        return self.last_number

    def serial(self) -> int:
        """Take a number for a name that must be used only once."""
        return next(self._names)

    # -- deliveries -------------------------------------------------------------------------

    def emit(
        self,
        event: str,
        action: str | None,
        content: Json,
        *,
        sender: Person,
        numbers: tuple[int, ...] = (),
        repo: Json | None = None,
    ) -> int:
        """Send one delivery and return its index."""
        index = len(self.deliveries)
        head: Json = {} if action is None else {"action": action}
        body = head | content
        body["repository"] = repo or self.repository()
        body["sender"] = user(sender, self.place)
        digest = hashlib.sha256(f"{self._seed}/{index}".encode()).digest()
        self.deliveries.append(
            Delivery(
                index=index,
                event=event,
                action=action,
                delivery_id=str(uuid.UUID(bytes=digest[:16], version=4)),
                at=self.now * 1_000_000,
                body=msgspec.json.encode(body),
                numbers=numbers,
                repository_id=self.place.repository_id,
            )
        )
        return index

    def repository(self) -> Json:
        """Show the repository as most deliveries do."""
        return repository(self.place, created=self.start, pushed=self.now)

    # -- refs -------------------------------------------------------------------------------

    def push_branch(self, branch: str, tip: Commit, *, by: Person) -> int:
        """Move or create a branch and send what GitHub sends for it; return the push's index."""
        ref = f"refs/heads/{branch}"
        before = self.git.refs.get(ref)
        line = self.git.lines.get(branch)
        new = self.git.new_commits(tip, self.git.pushed if line is None else line)
        if before is None:
            self._create("branch", branch, by)
        # Long-lived branches only grow; any other was rewritten if nothing new stands on its tip.
        forced = line is None and before is not None
        forced = forced and all(before not in commit.parents for commit in new)
        index = self._push(ref, before, tip.sha, by=by, commits=new, head=tip, forced=forced)
        self.git.pushed.update(commit.sha for commit in new)
        if line is not None:
            line.update(commit.sha for commit in new)
        return index

    def delete_branch(self, branch: str, *, by: Person) -> None:
        """Delete a branch, with its two deliveries."""
        ref = f"refs/heads/{branch}"
        self._push(ref, self.git.refs[ref], None, by=by)
        content = {"ref": branch, "ref_type": "branch", "pusher_type": "user"}
        self.emit("delete", None, content, sender=by)

    def push_tag(
        self, name: str, target: str, commit: Commit, *, by: Person, silent: bool
    ) -> int | None:
        """Create a tag; `target` is the tag object or the commit. Silent: no delivery (None)."""
        ref = f"refs/tags/{name}"
        if silent:
            self.git.move(ref, target, at=self.now, delivery=None)
            return None
        self._create("tag", name, by)
        return self._push(ref, None, target, by=by, head=commit)

    def _create(self, kind: str, name: str, by: Person) -> None:
        content = {
            "ref": name,
            "ref_type": kind,
            "master_branch": self.place.default_branch,
            "description": None,
            "pusher_type": "user",
        }
        self.emit("create", None, content, sender=by)

    def _push(
        self,
        ref: str,
        before: str | None,
        after: str | None,
        *,
        by: Person,
        commits: list[Commit] | None = None,
        head: Commit | None = None,
        forced: bool = False,
    ) -> int:
        show = self._show_commit
        html = self.place.html
        content: Json = {
            "ref": ref,
            "before": before or ZERO_ID,
            "after": after or ZERO_ID,
            "created": before is None,
            "deleted": after is None,
            "forced": forced,
            "base_ref": None,
            "compare": f"{html}/compare/{(before or ZERO_ID)[:12]}...{(after or ZERO_ID)[:12]}",
            "commits": [show(commit) for commit in (commits or [])[-2048:]],
            "head_commit": show(head) if head else None,
            "pusher": {"name": by.login, "email": by.stamp(0).email},
        }
        index = self.emit("push", None, content, sender=by, repo=self._repository_of_push())
        self.git.move(ref, after, at=self.now, delivery=index)
        return index

    def _show_commit(self, commit: Commit) -> Json:
        parents = commit.parents
        before = self.git.commits[parents[0]].tree if parents else EMPTY
        distinct = commit.sha not in self.git.pushed
        return pushed_commit(commit, before, self.place, distinct=distinct)

    def _repository_of_push(self) -> Json:
        # Pushes show the same repository in another shape: epoch numbers, and the page as `url`.
        shown = self.repository()
        shown["owner"] = shown["owner"] | {"name": self.place.owner, "email": None}
        return shown | {
            "url": self.place.html,
            "created_at": self.start,
            "updated_at": when(self.now),
            "pushed_at": self.now,
            "stargazers": 0,
            "master_branch": self.place.default_branch,
            "organization": self.place.owner,
        }
