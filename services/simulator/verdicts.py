"""Which request is in which tag, by plain sets over the world's own history.

Meant to be obviously right, not quick or clever: it is what the product's answer is held against.
"""

import re
from collections import defaultdict

from services.simulator.ledger import Ledger
from services.simulator.repository import Repository
from services.simulator.truth import Carry, TagTruth, Undoing, VerdictName


def undoings(git: Repository, ledger: Ledger) -> tuple[Undoing, ...]:
    """Return what each revert takes away: of the named commits and all their picks and restores,
    those that lie among its own ancestors.
    """
    found = []
    for sha, named in ledger.named.items():
        targets = _family(ledger, named) & (git.ancestors([sha]) - {sha})
        found.append(Undoing(sha=sha, targets=tuple(sorted(targets))))
    return tuple(found)


def _family(ledger: Ledger, named: tuple[str, ...]) -> set[str]:
    family: set[str] = set()
    waiting = list(named)
    while waiting:
        sha = waiting.pop()
        if sha not in family:
            family.add(sha)
            waiting.extend(ledger.kin.get(sha, ()))
    return family


class Content:
    """What a tip holds: which commits, and which of them are alive."""

    def __init__(self, git: Repository, undone: tuple[Undoing, ...], tip: str) -> None:
        self.closure = git.ancestors([tip])
        self._undone_by: defaultdict[str, list[str]] = defaultdict(list)
        for undoing in undone:
            if undoing.sha in self.closure:
                for target in undoing.targets:
                    self._undone_by[target].append(undoing.sha)

    def alive(self, sha: str) -> bool:
        """Tell whether a commit is in the tip and nothing alive there takes it away."""
        if sha not in self.closure:
            return False
        return not any(self.alive(undoing) for undoing in self._undone_by.get(sha, ()))


def verdicts_of(
    git: Repository, ledger: Ledger, undone: tuple[Undoing, ...]
) -> dict[str, dict[int, VerdictName]]:
    """Return, for each tag, the verdict of each request that is in it or was; others are not."""
    carried: defaultdict[int, list[Carry]] = defaultdict(list)
    for carry in ledger.carries:
        carried[carry.number].append(carry)
    size = {book.number: len(book.landing) for book in ledger.pulls}
    found: dict[str, dict[int, VerdictName]] = {}
    for tag in ledger.tags:  # a predecessor always comes before
        content = Content(git, undone, tag.commit)
        before = found.get(tag.predecessor or "", {})
        found[tag.name] = {}
        for number, carries in carried.items():
            verdict = _verdict(content, carries, size[number], before.get(number))
            if verdict != "not_included":
                found[tag.name][number] = verdict
    return found


def _verdict(
    content: Content, carries: list[Carry], size: int, before: VerdictName | None
) -> VerdictName:
    present = {unit for carry in carries if content.alive(carry.sha) for unit in carry.units}
    if present:
        return "included" if len(present) == size else "partly"
    if not any(carry.sha in content.closure for carry in carries):
        return "not_included"
    return "removed" if before in ("included", "partly") else "reverted"


def predecessor_of(tags: list[TagTruth], tag: TagTruth) -> str | None:
    """Return the tag that readers compare with; `tags` are what the family has so far."""
    lower = [
        other
        for other in tags
        if (tag.prerelease or not other.prerelease) and _version(other) < _version(tag)
    ]
    return max(lower, key=_version).name if lower else None


def _version(tag: TagTruth) -> tuple[float, ...]:
    # Of the trains' own names alone: numbers, and a candidate (`rc1`) before its final.
    numbers, _, candidate = tag.name.partition("rc")
    return *map(int, re.findall("[0-9]+", numbers)), float(candidate or "inf")
