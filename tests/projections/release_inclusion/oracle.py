"""A second opinion on inclusion, from git's own output and nothing of the product's.

Slow and plain on purpose: sets of ancestors by search, templates by a handful of patterns, and
whether a commit is in force by asking each revert in turn. It takes no API facts; of a request it
knows the commits that say they land it and, where the clone has it, the head of its own ref. What
came with another repository says that one's numbers.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

from tests.projections.release_inclusion.oracle_ancestry import Ancestry
from tests.projections.release_inclusion.oracle_git import Commit
from tests.projections.release_inclusion.oracle_words import (
    CUT,
    ENDS,
    MERGES,
    NUMBERS_AT_END,
    OTHER_HOST,
    PICK_BRANCH,
    PICKED_NUMBER,
    REAPPLIES,
    RESTORES,
    REVERTS_IN_SUBJECT,
    REVERTS_NUMBER,
    REVERTS_SHA,
    REVERTS_TITLE,
    SQUASHES,
    TRAILER,
    inner_numbers,
    title_of,
)

_TAKES_BACK: Final = re.compile(r"revert|reapply|re-?land|restore", re.IGNORECASE)

Answer: TypeAlias = Literal["included", "partly", "reverted", "not included", "unsure"]


@dataclass
class Oracle(Ancestry):
    """All answers about one history. `heads` are the commits of `refs/pull/N/head` by number."""

    heads: Mapping[int, str] = field(default_factory=dict)
    patches: Mapping[str, str] = field(default_factory=dict)

    # --- who lands what --------------------------------------------------------------------------

    def lands(self, commit: Commit) -> int | None:
        """Return the request that a commit says it lands."""
        if commit.sha in self.strangers:
            return None  # it says a number of the repository that it came from
        merge = MERGES.match(commit.subject)
        if merge:
            return int(merge[1]) if len(commit.parents) > 1 else None
        squash = SQUASHES.search(commit.subject)
        if REAPPLIES.fullmatch(commit.subject) and "This reverts commit" in commit.body:
            return None  # git kept the number of the revert
        return int(squash[1]) if squash else None

    @cached_property
    def landings(self) -> dict[int, list[frozenset[str]]]:
        """By request: for each of its landings the commits that hold its change."""
        landings: dict[int, list[frozenset[str]]] = defaultdict(list)
        for commit in self.commits.values():
            number = self.lands(commit)
            if number is not None:
                content = self._content(commit, number)
                if content:
                    landings[number].append(content)
        return dict(landings)

    def _content(self, commit: Commit, number: int) -> frozenset[str]:
        if len(commit.parents) < 2:
            return frozenset({commit.sha})
        side = self.brought_by(commit)
        head = self.heads.get(number)
        if head in self.commits and head != commit.sha and head not in side:
            return frozenset()  # another repository's number: its own head came in elsewhere
        if 2 * len(side & self.lines) > len(side):
            return frozenset({commit.sha})  # it brings a branch: its own is the merge alone
        nested: set[str] = set()
        for sha in side:
            if self.lands(self.commits[sha]) not in (None, number):
                nested.add(sha)
                if len(self.commits[sha].parents) > 1:
                    nested |= self.brought_by(self.commits[sha])
        plain = {sha for sha in side - nested if len(self.commits[sha].parents) < 2}
        return frozenset(plain or {commit.sha})

    # --- who copies what -------------------------------------------------------------------------

    @cached_property
    def copies(self) -> dict[str, set[str]]:
        """By commit: the commits that are it once more, said so or equal in every respect."""
        copies: dict[str, set[str]] = defaultdict(set)
        same: dict[tuple[object, ...], list[str]] = defaultdict(list)
        equal: dict[str, list[str]] = defaultdict(list)
        for commit in self.commits.values():
            for named in TRAILER.findall(commit.body):
                origin = self.find(named)
                if origin and origin != commit.sha:
                    copies[origin].add(commit.sha)
            if len(commit.parents) < 2:
                title = title_of(commit.subject)
                same[commit.author, commit.authored, title].append(commit.sha)
                patch = self.patches.get(commit.sha)
                if patch and title:
                    same[patch, title].append(commit.sha)
                if patch:
                    equal[patch].append(commit.sha)
        for alike in (*same.values(), *self._telling(equal.values())):
            # a backport is a copy of its original, and the original none of the backport
            ordered = sorted(alike, key=lambda sha: (self.commits[sha].committed, sha))
            for place, sha in enumerate(ordered):
                copies[sha].update(ordered[place + 1 :])
        return dict(copies)

    def _telling(self, equal: Iterable[list[str]]) -> Iterator[list[str]]:
        """Yield equal patches that say one change: few, and none of them takes anything back."""
        for shas in equal:
            bodies = (self.commits[sha].subject + self.commits[sha].body for sha in shas)
            if 1 < len(shas) <= 4 and not any(_TAKES_BACK.search(body) for body in bodies):
                yield shas

    def find(self, named: str) -> str | None:
        """Return the one commit whose name begins so."""
        if len(named) == 40:
            return named if named in self.commits else None
        matching = [sha for sha in self._by_seven.get(named[:7], ()) if sha.startswith(named)]
        return matching[0] if len(matching) == 1 else None

    @cached_property
    def _by_seven(self) -> dict[str, list[str]]:
        by_seven: dict[str, list[str]] = defaultdict(list)
        for sha in self.commits:
            by_seven[sha[:7]].append(sha)
        return by_seven

    def family(self, sha: str) -> frozenset[str]:
        """Return a commit with its copies, and theirs."""
        visited, waiting = {sha}, [sha]
        while waiting:
            for copy in self.copies.get(waiting.pop(), ()):
                if copy not in visited:
                    visited.add(copy)
                    waiting.append(copy)
        return frozenset(visited)

    @cached_property
    def picks(self) -> dict[int, set[str]]:
        """By request: commits that say they pick it, by its number."""
        picks: dict[int, set[str]] = defaultdict(set)
        for commit in self.commits.values():
            own = self.lands(commit)
            subject = NUMBERS_AT_END.sub("", commit.subject) if own else commit.subject
            branch = PICK_BRANCH.search(commit.subject) if len(commit.parents) > 1 else None
            if OTHER_HOST.match(commit.subject):
                continue
            said = {int(branch[1])} if branch else self._said(commit, subject)
            for number in said - {own}:
                inside = self._content(commit, own) if branch and own else frozenset({commit.sha})
                picks[number] |= inside
        return dict(picks)

    def _said(self, commit: Commit, subject: str) -> set[int]:
        inner = {
            int(n) for n in re.findall(r"#?(\d+)\)", commit.subject) if ENDS.search(commit.subject)
        }
        restored = {int(n) for n in RESTORES.findall(commit.subject)}
        if PICKED_NUMBER.search(subject + inner_numbers(commit.subject)):
            inner |= {int(n) for n in re.findall(r"[#(](\d+)", commit.subject)}
            return {n for n in inner if n in self.landings} | restored
        title = title_of(commit.subject)
        return restored | {
            number
            for number in inner
            for content in self.landings.get(number, ())
            if any(title_of(self.commits[sha].subject) == title for sha in content)
        }

    @cached_property
    def titled(self) -> dict[str, list[str]]:
        """Commits without merges by what their title says."""
        titled: dict[str, list[str]] = defaultdict(list)
        for commit in self.commits.values():
            if len(commit.parents) < 2:
                titled[title_of(commit.subject)].append(commit.sha)
        return titled

    # --- who reverts what ------------------------------------------------------------------------

    @cached_property
    def reverters(self) -> dict[str, set[str]]:
        """By commit: the commits that revert it."""
        reverters: dict[str, set[str]] = defaultdict(set)
        for commit in sorted(self.commits.values(), key=lambda c: self._order[c.sha]):
            for target in self._reverted(commit):
                reverters[target].add(commit.sha)
        return dict(reverters)

    def _reverted(self, commit: Commit) -> set[str]:
        named = {sha for text in REVERTS_SHA.findall(commit.body) if (sha := self.find(text))}
        for number in REVERTS_NUMBER.findall(commit.body):
            named |= {sha for content in self.landings.get(int(number), ()) for sha in content}
        by_number = REVERTS_IN_SUBJECT.match(commit.subject)
        if by_number:
            named |= {
                sha for content in self.landings.get(int(by_number[1]), ()) for sha in content
            }
        title = REVERTS_TITLE.search(commit.subject) or CUT.match(commit.subject)
        if not named and title and len(commit.parents) < 2:
            named = self._with_title(title[1]) - {commit.sha}
            number_in = SQUASHES.search(" " + title[1])
            if number_in and not named:
                named = {s for c in self.landings.get(int(number_in[1]), ()) for s in c}
        whole: set[str] = set()
        for sha in named:
            whole |= self.family(sha)
            if len(self.commits[sha].parents) > 1:
                whole |= {
                    copy for s in self.brought_by(self.commits[sha]) for copy in self.family(s)
                }
        return {sha for sha in whole if self.precedes(sha, commit.sha)}

    def _with_title(self, text: str) -> set[str]:
        if not text.endswith("…"):
            return set(self.titled.get(title_of(text), ()))
        begin = title_of(text)
        return {s for title, shas in self.titled.items() if title.startswith(begin) for s in shas}

    # --- answers ---------------------------------------------------------------------------------

    def alive(self, sha: str, held: frozenset[str]) -> bool:
        """Tell whether a commit is in a history and no revert of it is in force there."""
        return sha in held and not any(
            self.alive(revert, held) for revert in self.reverters.get(sha, ())
        )

    def answer(self, number: int, held: frozenset[str]) -> Answer:
        """Say where a request stands in a history, which is given by all its commits."""
        landings = self.landings.get(number, [])
        present = living = False
        for content in landings:
            whole = True
            for sha in content:
                here = self._family(sha) & held
                alive_here = any(self.alive(copy, held) for copy in here)
                present, living, whole = (
                    present or bool(here),
                    living or alive_here,
                    whole and alive_here,
                )
            if whole:
                return "included"
        picks = self.picks.get(number, set()) & held
        if any(self.alive(sha, held) for sha in picks):
            return "included"
        if living:
            return "partly"
        if present or picks:
            return "reverted"
        return "unsure" if self._titles(number) & held else "not included"

    def _family(self, sha: str) -> frozenset[str]:
        known = self._families.get(sha)
        if known is None:
            known = self._families[sha] = self.family(sha)
        return known

    @cached_property
    def _families(self) -> dict[str, frozenset[str]]:
        return {}

    def _titles(self, number: int) -> set[str]:
        """Return commits that only have the title of one of a request's."""
        known = self._alike.get(number)
        if known is None:
            known = set()
            for content in self.landings.get(number, ()):
                for sha in content:
                    alike = self.titled.get(title_of(self.commits[sha].subject), [])
                    if len(alike) <= 6 and " " in title_of(self.commits[sha].subject):
                        place = self.commits[sha].committed
                        known |= {s for s in alike if self.commits[s].committed > place}
            self._alike[number] = known
        return known

    @cached_property
    def _alike(self) -> dict[int, set[str]]:
        return {}
