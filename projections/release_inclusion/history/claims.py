"""Numbers in words against facts: which commits may say that they land a request.

A commit says its number in its own words, and words may be another repository's: the branch of a
request can hold `Merge pull request #3 from …` of a fork. A claim counts only where nothing that
is known excludes it: the merge commit that GitHub named, the days in which the request was open,
the head that was merged, another commit that lands the number under another title. What remains
doubtful waits for a person.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from events.instant import DAY
from projections.release_inclusion.history.carriers import ReadCommit, Request
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.joined import JoinedHistories, title_of
from projections.release_inclusion.history.lines import BranchLine, side_of
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import alike

CLAIM: Final = "a number in its words"
LISTED: Final = "a number in its list"

_SLACK: Final = DAY
"""Clocks of committers are wrong by hours; a robot that lands and then closes takes minutes."""

_Judgement: TypeAlias = Literal["counts", "doubtful", "excluded"]


def weighed(
    graph: CommitGraph,
    readings: Mapping[str, ReadCommit],
    requests: Collection[Request],
    lines: Mapping[str, BranchLine],
) -> dict[str, ReadCommit]:
    """Return the readings without the claims that facts exclude; doubtful ones become mentions."""
    claims = _Claims(graph, readings, requests, lines)
    return {sha: claims.weigh(reading) for sha, reading in readings.items()}


class _Claims:
    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        requests: Collection[Request],
        lines: Mapping[str, BranchLine],
    ) -> None:
        self._graph, self._readings = graph, readings
        self._on_lines = frozenset(sha for line in lines.values() for sha in line.commits)
        self._requests = {request.number: request for request in requests}
        self._claimants: dict[int, list[ReadCommit]] = defaultdict(list)
        for reading in readings.values():
            if reading.own and reading.sha in graph:
                self._claimants[reading.own.number].append(reading)
        default = next(iter(lines.values()), None)
        self._joined = JoinedHistories(graph, readings, default, self._brings_head)

    def weigh(self, reading: ReadCommit) -> ReadCommit:
        reading = self._with_unknown_of_list(reading)
        if self._joined.whose(reading.sha) == "theirs" and not self._is_proven(reading):
            return _without_numbers(reading)
        if reading.own is None or reading.sha not in self._graph:
            return reading
        number = reading.own.number
        judgement = self._judge(reading, self._requests.get(number), number)
        if judgement == "counts":
            return reading
        reading = replace(reading, own=None)
        return reading if judgement == "excluded" else _doubting(reading, CLAIM, number)

    def _with_unknown_of_list(self, reading: ReadCommit) -> ReadCommit:
        """Doubt what a squash's list names and nothing else knows: its branch may be gone."""
        if reading.own is None or not self._on_a_line(reading.sha):
            return reading
        for listed in reading.listed:
            if listed.number not in self._claimants and listed.number not in self._requests:
                reading = _doubting(reading, LISTED, listed.number)
        return reading

    def _judge(self, reading: ReadCommit, request: Request | None, number: int) -> _Judgement:
        if request is None:
            return self._against_others(reading, number)
        if request.merge_commit == reading.sha and request.state == "merged":
            return "counts"
        if request.opened_at is not None and reading.committed_at < request.opened_at - _SLACK:
            return "excluded"
        if self._merged_elsewhere(reading, request):
            return "counts" if self._has_its_title(reading, request) else "doubtful"
        if self._merges_another_head(reading, request):
            return "excluded"
        late = request.ended_at is not None and reading.committed_at > request.ended_at + _SLACK
        if late and request.state == "closed":
            return "doubtful" if self._on_a_line(reading.sha) else "excluded"
        return self._against_others(reading, number)

    def _is_proven(self, reading: ReadCommit) -> bool:
        """Tell whether facts say that a commit of another root lands a request of this one."""
        request = self._requests.get(reading.own.number) if reading.own else None
        if request is None:
            return self._on_a_line(reading.sha)
        named = request.merge_commit == reading.sha and request.state == "merged"
        same = request.title is not None and alike(request.title, title_of(reading))
        return named or same or self._brings_head(reading) or self._on_a_line(reading.sha)

    def _brings_head(self, reading: ReadCommit) -> bool:
        """Tell whether a merge brought the head of the request that it names."""
        request = self._requests.get(reading.own.number) if reading.own else None
        if request is None or request.head not in self._graph or request.head is None:
            return False
        merge = self._graph.is_merge(reading.sha)
        return merge and request.head in side_of(self._graph, reading.sha)

    def _merged_elsewhere(self, reading: ReadCommit, request: Request) -> bool:
        """Tell whether GitHub named the commit that landed it, and it is another one."""
        named = request.merge_commit if request.state == "merged" else None
        return named is not None and named in self._graph and named != reading.sha

    def _has_its_title(self, reading: ReadCommit, request: Request) -> bool:
        landed = self._readings.get(request.merge_commit or "")
        titles = [request.title, landed and landed.own and landed.own.title]
        own = title_of(reading)
        # A rebase merge may have written the number into each of its commits.
        return any(title and alike(own, title) for title in titles) or self._on_a_line(reading.sha)

    def _merges_another_head(self, reading: ReadCommit, request: Request) -> bool:
        """Tell whether a merge inside another request's branch brought a head that is not its."""
        merge = self._graph.is_merge(reading.sha) and not self._on_a_line(reading.sha)
        if not merge or request.head is None or request.head not in self._graph:
            return False
        return request.head not in side_of(self._graph, reading.sha)

    def _against_others(self, reading: ReadCommit, number: int) -> _Judgement:
        """Judge without facts: a stranger inside a branch, beside a landing of another title."""
        if self._on_a_line(reading.sha):
            return "counts"
        if self._joined.whose(reading.sha) == "unknown" and not self._is_proven(reading):
            return "excluded" if self._joined.lands_another(reading) else "doubtful"
        for other in self._claimants[number]:
            if other.sha != reading.sha and self._on_a_line(other.sha):
                return "counts" if alike(title_of(other), title_of(reading)) else "doubtful"
        return "counts"

    def _on_a_line(self, sha: str) -> bool:
        return sha in self._on_lines


def _doubting(reading: ReadCommit, method: str, number: int) -> ReadCommit:
    doubt = Mention(role=Role.PICK, method=method, certainty=Certainty.REVIEW, number=number)
    return replace(reading, mentions=(*reading.mentions, doubt))


def _without_numbers(reading: ReadCommit) -> ReadCommit:
    """Return what a commit says but for numbers, which are another repository's."""
    mentions = [
        mention
        if mention.number is None
        else replace(
            mention,
            number=None,
            certainty=mention.certainty if mention.sha else Certainty.REVIEW,
        )
        for mention in reading.mentions
        if mention.number is None or mention.sha or mention.title
    ]
    return replace(
        reading,
        own=None,
        mentions=tuple(mentions),
        listed=(),
        closes=(),
        fixes=tuple(fix for fix in reading.fixes if fix.number is None),
    )
