"""What stands between two tags by git's own words, and what of it a release's page accounts for.

Beside the page there is one account more: the release before has the change already, as another
commit. That is read here from git alone: its number, its patch, its author at that moment, its
title by that author, a trailer, or a message that names it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from projections.release_inclusion.answers import ReleaseContents
from projections.release_inclusion.history.twins import twins_of
from tests.projections.release_inclusion.oracle_ancestry import Ancestry
from tests.projections.release_inclusion.oracle_git import Commit
from tests.projections.release_inclusion.whole_histories import WholeHistory

_MERGE: Final = re.compile(r"Merge pull request #(\d+) from ")
_SQUASH: Final = re.compile(r"\s\(#(\d+)\)$")
_TRAILER: Final = re.compile(r"cherry[ -]picked from (?:commit )?([0-9a-f]{7,40})", re.IGNORECASE)
_REVERTS: Final = re.compile(r"reverts? (?:commit )?([0-9a-f]{7,40})", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\s*\((?:PR )?#?\d+\)$")
_NAMES: Final = re.compile(r"(?:#|\(|pull/|pick-)(\d{1,6})\b")
_PICKS: Final = re.compile(r"^\* |cherry.?pick|back.?port", re.IGNORECASE)
LISTS: Final = ("new", "removed", "reverted", "partly", "undetermined")


def own_number(commit: Commit) -> int | None:
    """Return the request that a commit's subject says it lands."""
    merge = _MERGE.match(commit.subject)
    if merge:
        return int(merge[1]) if len(commit.parents) > 1 else None
    squash = _SQUASH.search(commit.subject)
    return int(squash[1]) if squash else None


def words(subject: str) -> str:
    """Return a title without numbers at its end, a word before it that says "pick", and case."""
    while _NUMBERS.search(subject):
        subject = _NUMBERS.sub("", subject)
    return re.sub(r"[\W_]+", " ", subject).strip().lower().removeprefix("cp ")


class PageReading:
    """One history, asked what its releases' pages leave out and what they say too much."""

    def __init__(self, whole: WholeHistory) -> None:
        self._whole, self._commits = whole, whole.commits
        self._ancestry = Ancestry(whole.commits, whole.branches)
        self._held: dict[str, frozenset[str]] = {}
        self._sides: dict[str, frozenset[str]] = {}
        self._alike: dict[object, set[str]] = defaultdict(set)
        for commit in whole.commits.values():
            for key in self._keys(commit):
                self._alike[key].add(commit.sha)

    def _keys(self, commit: Commit) -> Iterator[object]:
        number = own_number(commit)
        if number is not None:
            yield number
        if commit.sha in self._whole.patches:
            yield "patch", self._whole.patches[commit.sha]
        yield commit.author, commit.authored
        yield commit.author, words(commit.subject)
        for named in _TRAILER.findall(commit.body):
            yield "picks", named[:7]
        for named in _REVERTS.findall(commit.body):
            yield "reverts", named[:7]
        lines = [line for line in commit.body.splitlines() if _PICKS.search(line)]
        for mentioned in _NAMES.findall("\n".join((commit.subject, *lines))):
            yield "names", int(mentioned)

    def between(self, before: str | None, tip: str) -> frozenset[str]:
        """Return what `git log before..tip` lists."""
        return self._ancestors(tip) - (self._ancestors(before) if before else frozenset())

    def _ancestors(self, tip: str) -> frozenset[str]:
        if tip not in self._held:
            self._held[tip] = self._ancestry.ancestors(tip)
        return self._held[tip]

    def left_out(self, contents: ReleaseContents) -> set[int]:
        """Return the requests of commits of A..B that nothing accounts for."""
        before = contents.against.commit if contents.against else None
        listed = {v.number for name in LISTS for v in getattr(contents, name)}
        twins = {n for v in listed for n in twins_of(self._whole.history, v)}
        told = {*listed, *twins, *contents.carriers}
        plain = {*contents.unattributed}
        return {
            number
            for sha in self.between(before, contents.release.commit)
            if (number := own_number(self._commits[sha])) is not None
            and number not in told
            and sha not in plain
            and sha not in self._ancestry.strangers
            and not (before and self._is_there(sha, number, self._ancestors(before)))
        }

    def _is_there(self, sha: str, number: int, held: frozenset[str]) -> bool:
        """Tell whether a release has a change as another commit, or all commits of a merge so."""
        if self._alike[number] & held or self._alike["names", number] & held:
            return True
        inside = [s for s in self._brought(sha) if len(self._commits[s].parents) < 2]
        return all(self._is_copied(s, held) for s in inside or [sha])

    def _is_copied(self, sha: str, held: frozenset[str]) -> bool:
        commit = self._commits[sha]
        keys: list[object] = [
            (commit.author, commit.authored),
            (commit.author, words(commit.subject)),
            ("picks", sha[:7]),
            ("patch", self._whole.patches.get(sha)),
        ]
        return sha in held or any(self._alike[key] & held for key in keys if key in self._alike)

    def _brought(self, sha: str) -> frozenset[str]:
        if sha not in self._sides:
            merge = self._commits[sha]
            side = self._ancestry.brought_by(merge) if len(merge.parents) > 1 else frozenset({sha})
            self._sides[sha] = side
        return self._sides[sha]

    def unfounded(self, contents: ReleaseContents) -> set[int]:
        """Return the requests that a page says are brought, and none of whose commits is in A..B.

        What only a revert changes is founded by the revert: one that the release before had alone,
        or one in A..B that took a part out.
        """
        before = contents.against.commit if contents.against else None
        fresh = self.between(before, contents.release.commit)
        gone = self.between(contents.release.commit, before) if before else frozenset[str]()
        return {
            verdict.number
            for verdict in (*contents.new, *contents.partly)
            if not any(
                self._is_of(verdict.number, carrier.sha)
                for carrier in verdict.carriers
                if carrier.sha in fresh
            )
            and not self._reverted_by(verdict.number, fresh | gone)
        }

    def _content(self, number: int) -> frozenset[str]:
        own = self._alike[number]
        head = self._whole.heads.get(number)
        return frozenset(own).union(*map(self._brought, own), [head] if head else [])

    def _is_of(self, number: int, sha: str) -> bool:
        if sha in self._content(number) or sha in self._alike["names", number]:
            return True
        named = {name[:7] for name in _TRAILER.findall(self._commits[sha].body)}
        origins = self._content(number)
        return bool(named & {origin[:7] for origin in origins}) or any(
            self._is_copied(origin, frozenset({sha})) for origin in origins & self._commits.keys()
        )

    def _reverted_by(self, number: int, among: Iterable[str]) -> bool:
        reverts = {s for sha in self._content(number) for s in self._alike["reverts", sha[:7]]}
        return not reverts.isdisjoint(among)
