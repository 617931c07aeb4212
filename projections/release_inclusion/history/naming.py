"""Finding commits by what messages call them: an abbreviated SHA, or a title."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from projections.release_inclusion.history.carriers import ReadCommit
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.messages.mention import Certainty, Role
from projections.release_inclusion.messages.references import normal_title, without_trailing_number

SHORTEST_TITLE: Final = 12
"""Letters that a title needs before it can tell one change from another."""
_LONGEST_GUESS: Final = 40
"""Letters of a title that was cut off, before its start stands for the whole."""


class ShaFinder:
    """Finds a commit by an abbreviated SHA, only where that is unique."""

    def __init__(self, graph: CommitGraph) -> None:
        self._graph = graph
        self._sorted: list[str] | None = None

    def find(self, sha: str) -> str | None:
        if sha in self._graph:
            return sha
        if self._sorted is None:
            self._sorted = sorted(self._graph)
        place = bisect_left(self._sorted, sha)
        fitting = [known for known in self._sorted[place : place + 2] if known.startswith(sha)]
        return fitting[0] if len(fitting) == 1 else None


class TitleFinder:
    """Finds commits by their title, as two people would spell it."""

    def __init__(self, readings: Mapping[str, ReadCommit]) -> None:
        self._normal: dict[str, list[str]] = defaultdict(list)
        self._exact: dict[str, list[str]] = defaultdict(list)
        for sha, reading in readings.items():
            self._normal[normal_title(reading.subject)].append(sha)
            subjects = {reading.subject, without_trailing_number(reading.subject)}
            if reading.own and reading.own.title:
                subjects.add(reading.own.title)
            for subject in subjects:
                self._exact[subject.strip()].append(sha)
        self._sorted = sorted(self._normal)

    def exact(self, subject: str) -> list[str]:
        return self._exact.get(subject, [])

    def whole(self, title: str) -> list[str]:
        """Return the commits that a quoted title names; one that was cut off names by its start."""
        title = title.strip()
        if title.endswith("…"):
            start = title[:-1].rstrip()
            return self.find(title) if len(start) >= _LONGEST_GUESS else []
        return self.exact(title)

    def find(self, title: str) -> list[str]:
        normal = normal_title(title)
        if len(normal) < SHORTEST_TITLE:
            return []
        if not title.rstrip().endswith("…"):
            return self._normal.get(normal, [])
        place = bisect_left(self._sorted, normal)
        cut_off = (t for t in self._sorted[place : place + 8] if t.startswith(normal))
        return [sha for full_title in cut_off for sha in self._normal[full_title]]


def picks_by_origin(
    graph: CommitGraph, readings: Mapping[str, ReadCommit], *, certain: bool = False
) -> dict[str, list[str]]:
    """Return by commit those that pick it by its SHA; doubtful ones too unless `certain`."""
    shas, picks = ShaFinder(graph), defaultdict[str, list[str]](list)
    for sha, reading in readings.items():
        for mention in reading.mentions if sha in graph else ():
            counts = mention.certainty is Certainty.CERTAIN or not certain
            if mention.role is Role.PICK and mention.sha and counts:
                picks[shas.find(mention.sha) or mention.sha].append(sha)
    return picks
