"""The simulated git repository: objects in the order they were made, refs and all their moves."""

from collections.abc import Collection, Iterable

from services.simulator.objects import (
    EMPTY,
    Changes,
    Commit,
    Stamp,
    Tag,
    make_commit,
    make_tag,
    object_id,
)
from services.simulator.truth import RefMove


class Repository:
    """All objects and refs of a world. It checks nothing: who commits says what is changed."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.commits: dict[str, Commit] = {}
        self.tags: dict[str, Tag] = {}
        self.refs: dict[str, str] = {}
        self.moves: list[RefMove] = []
        #: Commits that any branch of this repository has ever held.
        self.pushed: set[str] = set()
        #: Of each long-lived branch, all commits it contains.
        self.lines: dict[str, set[str]] = {}

    def blob(self, text: str) -> str:
        """Keep a file's content and return its id."""
        data = text.encode()
        sha = object_id("blob", data)
        self.blobs[sha] = data
        return sha

    def commit(
        self,
        parents: tuple[Commit, ...],
        changes: Changes,
        message: str,
        *,
        author: Stamp,
        committer: Stamp | None = None,
    ) -> Commit:
        """Make a commit that changes its first parent's tree; parents[1:] are only ancestors."""
        before = parents[0].tree if parents else EMPTY
        commit = make_commit(
            before.apply(changes),
            tuple(parent.sha for parent in parents),
            author=author,
            committer=committer or author,
            message=message,
            changes=changes,
        )
        self.commits.setdefault(commit.sha, commit)
        return commit

    def annotate(self, name: str, commit: str, *, tagger: Stamp, message: str) -> Tag:
        """Make an annotated tag object (not yet the ref)."""
        tag = make_tag(name, commit, tagger=tagger, message=message)
        self.tags[tag.sha] = tag
        return tag

    def tip(self, branch: str) -> Commit:
        """Return the commit a branch points to."""
        return self.commits[self.refs[f"refs/heads/{branch}"]]

    def has_branch(self, branch: str) -> bool:
        """Tell whether a branch exists now."""
        return f"refs/heads/{branch}" in self.refs

    def begin_line(self, branch: str, commit: Commit) -> None:
        """Treat a branch as long-lived from here on."""
        self.lines[branch] = {found.sha for found in self.new_commits(commit, ())}

    def move(self, ref: str, sha: str | None, *, at: int, delivery: int | None) -> None:
        """Point a ref elsewhere (None deletes it); `at` is in seconds."""
        before = self.refs.pop(ref, None)
        if sha is not None:
            self.refs[ref] = sha
        self.moves.append(
            RefMove(ref=ref, before=before, after=sha, at=at * 1_000_000, delivery=delivery)
        )

    def refs_at(self, at: int) -> dict[str, str]:
        """Return the refs after all moves up to an instant (microseconds, inclusive)."""
        refs: dict[str, str] = {}
        for move in self.moves:
            if move.at <= at:
                refs.pop(move.ref, None)
                if move.after is not None:
                    refs[move.ref] = move.after
        return refs

    def new_commits(self, tip: Commit, known: Collection[str]) -> list[Commit]:
        """Return what is reachable from a tip and not in `known`, parents before children."""
        found: list[Commit] = []
        seen: set[str] = set()
        stack: list[tuple[str, bool]] = [(tip.sha, False)]
        while stack:
            sha, parents_done = stack.pop()
            if parents_done:
                found.append(self.commits[sha])
            elif sha not in seen and sha not in known:
                seen.add(sha)
                stack.append((sha, True))
                stack.extend((parent, False) for parent in reversed(self.commits[sha].parents))
        return found

    def ancestors(self, tips: Iterable[str]) -> set[str]:
        """Return the tips and everything they are built on."""
        reached: set[str] = set()
        stack = list(tips)
        while stack:
            sha = stack.pop()
            if sha not in reached:
                reached.add(sha)
                stack.extend(self.commits[sha].parents)
        return reached
