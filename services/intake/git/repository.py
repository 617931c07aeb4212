"""A git repository on this machine, read through the git command line."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.errors import InvalidQuestion
from events.facts.git import Commit
from events.instant import Instant
from services.intake.git.command import Git, GitFault
from services.intake.git.commits import (
    LOG_ARGUMENTS,
    TITLES_ARGUMENTS,
    CommitTitle,
    instant_of,
    parse_log,
    parse_titles,
)
from services.intake.git.refs import (
    FOR_EACH_REF_ARGUMENTS,
    HEADS,
    ClonedRef,
    PublishedRefs,
    Remote,
    parse_refs,
    parse_remotes,
    published_refs,
)

_REMOTE_SETTINGS: Final = r"^remote\..*\.(url|fetch)$"


class GitRepository:
    """Reads one repository, bare or not, a detached worktree too. It never writes and never
    fetches.
    """

    def __init__(self, path: Path) -> None:
        """Open the repository at `path`; raise InvalidQuestion where there is none."""
        self._git = Git(path)
        if not self._git.path.is_dir():
            raise InvalidQuestion(f"{self._git.path} is not a folder; give the folder of a clone")
        output = self._git.run("rev-parse", "--is-bare-repository", "--is-shallow-repository")
        self.bare, self.shallow = (word == b"true" for word in output.split())

    @property
    def path(self) -> Path:
        """Where the repository is, absolute."""
        return self._git.path

    def head(self) -> str | None:
        """Return the short name of the branch that is checked out, None where none is."""
        output = self._git.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).decode(
            "utf-8", "replace"
        )
        return output.strip().removeprefix(HEADS) or None

    def remotes(self) -> list[Remote]:
        """Return the remotes of the repository's configuration."""
        arguments = ("config", "-z", "--get-regexp", _REMOTE_SETTINGS)
        return parse_remotes(self._git.run(*arguments, ok=(0, 1)))

    def refs(self) -> list[ClonedRef]:
        """Return all branches, tags, remote-tracking refs and request heads of the clone."""
        refs = parse_refs(self._git.run(*FOR_EACH_REF_ARGUMENTS))
        nested = [ref for ref in refs if ref.tag_object and not ref.sha]
        if not nested:
            return refs
        names = "".join(f"{ref.tag_object}^{{commit}}\n" for ref in nested).encode()
        answers = self._git.run("cat-file", "--batch-check=%(objectname)", stdin=names).splitlines()
        peeled = {
            ref.name: answer.decode("ascii")
            for ref, answer in zip(nested, answers, strict=True)
            if b" " not in answer  # "… missing": a tag of something that is no commit
        }
        return [msgspec.structs.replace(ref, sha=peeled.get(ref.name, ref.sha)) for ref in refs]

    def published_refs(self, full_name: str) -> PublishedRefs:
        """Return the refs of `full_name` as far as this clone knows them."""
        return published_refs(self.refs(), self.remotes(), full_name, self.head())

    def graph(self, tips: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Return the parents of every commit reachable from the tips, parents before children."""
        if not tips:
            return {}
        arguments = ("rev-list", "--stdin", "--parents", "--topo-order", "--reverse")
        output = self._git.run(*arguments, stdin=_lines(tips)).decode("ascii")
        rows = (line.split() for line in output.splitlines())
        return {row[0]: tuple(row[1:]) for row in rows}

    def commits(self, shas: Sequence[str]) -> Iterator[Commit]:
        """Read commits in the order asked, with one process; raise GitFault if any is missing."""
        if not shas:
            return
        count = 0
        with self._git.stream(*LOG_ARGUMENTS, lines=shas) as chunks:
            for commit in parse_log(chunks):
                count += 1
                yield commit
        if count != len(shas):
            raise GitFault(f"git read {count} of {len(shas)} commits in {self.path}; run: git fsck")

    def titles(self, tips: Collection[str]) -> Iterator[CommitTitle]:
        """Yield the titles of all commits that the tips reach, without merges."""
        if tips:
            yield from parse_titles(self._git.run(*TITLES_ARGUMENTS, stdin=_lines(tips)))

    def shallow_boundary(self) -> frozenset[str]:
        """Return the commits whose parents a shallow clone does not have."""
        if not self.shallow:
            return frozenset()
        name = self._git.run("rev-parse", "--git-path", "shallow").decode().rstrip("\n")
        return frozenset((self.path / name).read_text("ascii").split())

    def latest_commit_date(self, shas: Collection[str]) -> Instant:
        """Return the greatest committer date of some commits, 0 for none."""
        if not shas:
            return 0
        arguments = ("log", "--no-walk=unsorted", "--stdin", "--no-show-signature", "--format=%ct")
        return max(
            map(instant_of, self._git.run(*arguments, stdin=_lines(shas)).split()), default=0
        )

    def is_ancestor(self, older: str, newer: str) -> bool | None:
        """Tell whether one commit is in the history of the other.

        None where that cannot be told: the older is gone from the clone.
        """
        return self._git.succeeds("merge-base", "--is-ancestor", older, newer)


def _lines(shas: Collection[str]) -> bytes:
    return "".join(f"{sha}\n" for sha in shas).encode()
