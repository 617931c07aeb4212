"""What holds of a simulated roadmap's items by construction; it is what answers are held against.

Meant to be obviously right: plain sets over the world's own history, and nothing of the product.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from events.instant import Instant
from services.simulator import World
from services.simulator.truth import PullTruth, RoadmapItem, RoadmapVersion
from services.simulator.verdicts import Content


@dataclass(frozen=True, slots=True)
class Far:
    """How far a request is: its state, the branches that hold all of it, and those that had it."""

    state: str
    whole: frozenset[str]
    base: str
    title: str


class Truth:
    """A world as it was at T, as the first deliveries announce it."""

    def __init__(self, world: World, as_of: Instant, deliveries: int) -> None:
        self._world, self._as_of, self._deliveries = world, as_of, deliveries
        heads: dict[str, str | None] = {}
        for move in world.truth.refs:
            if move.ref.startswith("refs/heads/") and move.at <= as_of:
                heads[move.ref.removeprefix("refs/heads/")] = move.after
        self._contents = {
            name: Content(world.repository, world.truth.undoings, tip)
            for name, tip in heads.items()
            if tip is not None and (name in ("main", "dev") or name.startswith("core_r"))
        }
        self._carries = defaultdict(list)
        for carry in world.truth.carries:
            self._carries[carry.number].append(carry)
        known = (pull.upto(deliveries) for pull in world.truth.pulls)
        self._pulls = {pull.number: pull for pull in known if pull is not None}

    def version(self, number: int) -> RoadmapVersion | None:
        """Return the text that a roadmap had."""
        found = [
            one
            for one in self._world.truth.roadmaps
            if one.number == number and one.at <= self._as_of and one.delivery < self._deliveries
        ]
        return found[-1] if found else None

    def far(self, number: int) -> Far:
        """Return how far a request is."""
        pull = self._pulls[number]
        base = pull.base_before(self._as_of + 1) or ""
        title = pull.titles[0].value
        state = pull.state_before(self._as_of + 1)
        if state != "merged":
            draft = [step.value for step in pull.drafts if step.at <= self._as_of]
            return Far("draft" if state == "open" and draft and draft[-1] else str(state),
                       frozenset(), base, title)  # fmt: skip
        return self._landed(pull, base, title)

    def _landed(self, pull: PullTruth, base: str, title: str) -> Far:
        size = len(self._world.truth.pull(pull.number).landing)
        whole, partly, had = set(), False, False
        for name, content in self._contents.items():
            carries = self._carries[pull.number]
            alive = {u for c in carries if content.alive(c.sha) for u in c.units}
            had = had or any(carry.sha in content.closure for carry in carries)
            partly = partly or bool(alive)
            if len(alive) == size:
                whole.add(name)
        if whole:
            return Far("merged", frozenset(whole), base, title)
        if had:
            return Far("partly" if partly else "reverted", frozenset(), base, title)
        return Far("merged", frozenset({base}), base, title)

    def status(self, item: RoadmapItem) -> tuple[str, frozenset[str]]:
        """Return an item's status, and the branches of a delivered one."""
        groups = _changes(self.far(number) for number in dict.fromkeys(item.links))
        going = [group for group in groups if any(one.state != "closed" for one in group)] or groups
        if item.struck and not going:
            return "dropped", frozenset()
        if not going:
            box = {None: "planned", True: "done", False: "open"}
            return box[item.box], frozenset()
        merged = [[one for one in group if one.state == "merged"] for group in going]
        if all(merged):
            held = [frozenset[str]().union(*(one.whole for one in group)) for group in merged]
            every = frozenset.intersection(*held) or frozenset[str]().union(*held)
            more = item.words is not None and "in progress" in item.words
            return ("foundation delivered" if more else "delivered"), every
        if any(merged) or any(one.state == "partly" for group in going for one in group):
            return "partly delivered", frozenset()
        states = {one.state for group in going for one in group}
        for names, status in (
            ({"reverted"}, "reverted"),
            ({"open", "draft"}, "in progress"),
            ({"closed"}, "closed, unmerged"),
        ):
            if states & names:
                return status, frozenset()
        raise AssertionError(states)

    def drift(self, item: RoadmapItem) -> str | None:
        """Return how what an item claims of itself differs from what holds; None: not at all."""
        kind, branches = self.status(item)
        if not item.links:
            return None
        words = item.words if item.box is None else {True: "delivered on main", False: ""}[item.box]
        if words is None:
            return None
        if words.startswith("delivered"):
            return self._done(item, words, kind, branches)
        if words == "":
            return "delivered, claimed open" if kind == "delivered" else None
        if kind == "delivered":
            return "delivered, claimed open"
        agreeing = {
            "in progress": ("in progress", "partly delivered", "foundation delivered"),
            "planned": ("planned",),
            "closed, unmerged": ("closed, unmerged",),
        }
        # "foundation delivered, in progress" says in the end that it is in progress
        said = words.removeprefix("foundation delivered, ")
        return None if kind in agreeing[said] else "stale"

    def _done(
        self, item: RoadmapItem, words: str, kind: str, branches: frozenset[str]
    ) -> str | None:
        if kind == "reverted":
            return "claimed delivered, reverted"
        if kind != "delivered":
            return "claimed delivered, not there"
        claimed = {name for name in ("main", "dev") if name in words}
        held = [one.whole for n in item.links if (one := self.far(n)).state == "merged"]
        together = len(claimed) > 1 and claimed <= branches and all(w & claimed for w in held)
        every = self._every(item)
        if together or claimed <= every:
            return None
        return "claimed delivered, only on another branch"

    def _every(self, item: RoadmapItem) -> frozenset[str]:
        """Return the branches that have all of an item."""
        groups = _changes(self.far(number) for number in dict.fromkeys(item.links))
        merged = [[one for one in group if one.state == "merged"] for group in groups]
        held = [frozenset[str]().union(*(one.whole for one in g)) for g in merged if g]
        return frozenset.intersection(*held)

    def held(self, item: RoadmapItem, tag: str) -> str:
        """Return how much of an item a tag holds: of what was not closed, whole, partly or not."""
        groups = _changes(self.far(n) for n in item.links if self.far(n).state != "closed")
        numbers = [n for n in dict.fromkeys(item.links) if self.far(n).state != "closed"]
        verdicts = {n: self._world.truth.verdict(tag, n) for n in numbers}
        found = []
        for group in groups:
            own = [verdicts[n] for n in numbers if self.far(n) in group]
            best = next((v for v in ("included", "partly") if v in own), "not")
            found.append({"included": "whole"}.get(best, best))
        if len(set(found)) == 1:
            return found[0]
        return "partly" if {"whole", "partly"} & set(found) else "not"


def _changes(found: Iterable[Far]) -> list[list[Far]]:
    """Put together what has one title on different branches: one change under two numbers."""
    groups: list[list[Far]] = []
    for one in found:
        for group in groups:
            same = _bare(group[0].title) == _bare(one.title)
            if same and group[0].base != one.base and len(_bare(one.title)) >= 12:
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def _bare(title: str) -> str:
    before = ""
    while before != title:
        before = title
        title = re.sub(r"\[[^\]]*\]|\(#?\d+\)|#\d+|^\s*\w+(\([^)]*\))?!?:", " ", title).strip()
    return " ".join(title.lower().split())
