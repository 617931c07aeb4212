"""A living pull request: what can be done to it, and the deliveries each act sends."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from services.simulator.ledger import PullBook
from services.simulator.objects import Changes, Commit
from services.simulator.payloads import Json, label
from services.simulator.people import Person
from services.simulator.snapshots import Origin, snapshot
from services.simulator.stage import Stage
from services.simulator.truth import Happening, Relation, Step

#: One commit to be: its message and what it changes.
Work: TypeAlias = tuple[str, Changes]


class Pull:
    """A pull request that is open, closed or merged on the stage.

    Every act happens at the stage's present second, and the snapshot it sends shows the state
    after it. `origin` says where the head lies: in this repository, in a fork, or in a fork that
    is deleted as soon as the request is closed.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        author: Person,
        title: str,
        base: str,
        head: str,
        work: Sequence[Work],
        body: str | None = None,
        draft: bool = False,
        origin: Origin = "same",
        relations: Iterable[Relation] = (),
        on: Commit | None = None,
        commits: Sequence[Commit] = (),
    ) -> None:
        # `commits` are a head that exists already, the last of them with all it changes.
        self.stage = stage
        self.number = stage.number()
        self.author, self.title, self.body, self.base = author, title, body, base
        self.head_ref, self.origin, self.draft = head, origin, draft
        self.work: list[Work] = []
        self.commits: list[Commit] = []
        self.labels: list[str] = []
        self.merge_commit: str | None = None
        self.merged_by: Person | None = None
        self.created = self.updated = stage.now
        self.closed_at: int | None = None
        self.merged_at: int | None = None
        self.children: list[Pull] = []
        self.book = PullBook(
            number=self.number,
            author=author.login,
            bot=author.bot,
            head=head if origin == "same" else None,
        )
        self.book.relations.extend(relations)
        stage.ledger.pulls.append(self.book)
        self.base_commit = on or stage.git.tip(base)
        if commits:
            self.commits = list(commits)
            self.work = [(commits[-1].message, commits[-1].changes)]
            self.book.changes.update(commits[-1].changes)
        else:
            self._add(work)
        self._open()

    # -- looking ----------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether it is open now."""
        return self.closed_at is None

    @property
    def is_merged(self) -> bool:
        """Whether it is merged."""
        return self.merged_at is not None

    @property
    def head(self) -> Commit:
        """The tip of its own branch."""
        return self.commits[-1]

    @property
    def changes(self) -> Changes:
        """What it changes as a whole."""
        return {path: blob for _, changes in self.work for path, blob in changes.items()}

    # -- acts -------------------------------------------------------------------------------

    def label(self, name: str, by: Person | None = None) -> None:
        """Put a label on it."""
        if name not in self.labels:
            self.labels.append(name)
            self._labels_changed("labeled", name, by)

    def unlabel(self, name: str, by: Person | None = None) -> None:
        """Take a label off."""
        if name in self.labels:
            self.labels.remove(name)
            self._labels_changed("unlabeled", name, by)

    def ready(self) -> None:
        """Make a draft ready for review."""
        if self.draft and self.is_open:
            self._set_draft(False, "ready_for_review")

    def to_draft(self) -> None:
        """Turn it back into a draft."""
        if not self.draft and self.is_open:
            self._set_draft(True, "converted_to_draft")

    def retitle(self, title: str) -> None:
        """Give it another title."""
        before, self.title = self.title, title
        index = self.send("edited", {"changes": {"title": {"from": before}}})
        self.book.titles.append(Step(self.instant, title, index))

    def rewrite(self, body: str | None) -> None:
        """Give it another text."""
        before, self.body = self.body, body
        self.send("edited", {"changes": {"body": {"from": before}}})

    def retarget(self, base: str, by: Person | None = None) -> None:
        """Point it at another base branch."""
        if not self.is_open or base == self.base:
            return
        before, self.base = self.base, base
        moved = {"ref": {"from": before}, "sha": {"from": self.base_commit.sha}}
        index = self.send("edited", {"changes": {"base": moved}}, by)
        self.book.bases.append(Step(self.instant, base, index))

    def push(self, *work: Work) -> None:
        """Give it more commits."""
        self._add(work)
        self._synchronize()

    def adopt(self, *commits: Commit) -> None:
        """Give it commits that somebody made elsewhere, the last one its new head."""
        self.commits += commits
        self.work += [(commit.message, commit.changes) for commit in commits]
        for commit in commits:
            self.book.changes.update(commit.changes)
        self._synchronize()

    def rebase(self) -> None:
        """Replay its work on its base's present tip and force-push."""
        work, self.work, self.commits = self.work, [], []
        self.base_commit = self.stage.git.tip(self.base)
        self._add(work)
        self._synchronize()

    def absorb(self, child: "Pull") -> None:
        """Take in what was merged into its own head branch (the branch has moved already)."""
        landed = [self.stage.git.commits[sha] for sha in child.book.landing]
        self.commits += landed
        self.work += [(commit.subject, commit.changes) for commit in landed]
        self.book.changes.update(child.changes)
        self._head_moved()

    def close(self, by: Person | None = None) -> None:
        """Close it without merging."""
        if not self.is_open:
            return
        self.closed_at = self.stage.now
        self.step("closed", self.send("closed", {}, by))

    def reopen(self, by: Person | None = None) -> None:
        """Open it again."""
        if self.is_open or self.is_merged:
            return
        self.closed_at = None
        self.step("reopened", self.send("reopened", {}, by))

    def remove_branch(self) -> None:
        """Delete its head branch; requests based on it move to its base, as GitHub moves them."""
        if self.origin != "same" or not self.stage.git.has_branch(self.head_ref):
            return
        for child in self.children:
            if child.base == self.head_ref:
                child.retarget(self.base)
        self.stage.delete_branch(self.head_ref, by=self.merged_by or self.author)

    # -- writing down -----------------------------------------------------------------------

    @property
    def instant(self) -> int:
        """The present, in microseconds."""
        return self.stage.now * 1_000_000

    def step(self, happening: Happening, delivery: int) -> None:
        """Write down a step of its life."""
        self.book.transitions.append(Step(self.instant, happening, delivery))

    def send(self, action: str, extra: Json, by: Person | None = None) -> int:
        """Send its snapshot as it is now; return the delivery's index."""
        self.updated = self.stage.now
        content = {"number": self.number, "pull_request": snapshot(self), **extra}
        sender = by or self.author
        return self.stage.emit(
            "pull_request", action, content, sender=sender, numbers=(self.number,)
        )

    def _open(self) -> None:
        pushed = self.stage.git.refs.get(f"refs/heads/{self.head_ref}") == self.head.sha
        if self.origin == "same" and not pushed:
            self.stage.push_branch(self.head_ref, self.head, by=self.author)
        self._move_pull_ref()
        index = self.send("opened", {})
        self.step("opened", index)
        self.book.bases.append(Step(self.instant, self.base, index))
        self.book.titles.append(Step(self.instant, self.title, index))
        self.book.labels.append(Step(self.instant, (), index))
        self.book.drafts.append(Step(self.instant, self.draft, index))

    def _add(self, work: Sequence[Work]) -> None:
        git, stamp = self.stage.git, self.author.stamp(self.stage.now)
        for message, changes in work:
            parent = self.commits[-1] if self.commits else self.base_commit
            self.commits.append(git.commit((parent,), changes, message, author=stamp))
            self.work.append((message, changes))
            self.book.changes.update(changes)

    def _synchronize(self) -> None:
        if self.origin == "same":
            self.stage.push_branch(self.head_ref, self.head, by=self.author)
        self._head_moved()

    def _head_moved(self) -> None:
        before = self.stage.git.refs[f"refs/pull/{self.number}/head"]
        self._move_pull_ref()
        index = self.send("synchronize", {"before": before, "after": self.head.sha})
        self.book.commits_at.append(Step(self.instant, self.head.sha, index))

    def _move_pull_ref(self) -> None:
        ref = f"refs/pull/{self.number}/head"
        self.stage.git.move(ref, self.head.sha, at=self.stage.now, delivery=None)

    def _labels_changed(self, action: str, name: str, by: Person | None) -> None:
        index = self.send(action, {"label": label(name, self.stage.place)}, by)
        self.book.labels.append(Step(self.instant, tuple(self.labels), index))

    def _set_draft(self, draft: bool, action: str) -> None:
        self.draft = draft
        index = self.send(action, {})
        self.book.drafts.append(Step(self.instant, draft, index))
