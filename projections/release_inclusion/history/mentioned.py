"""What commits say that they carry of others: picks and restores, by their certain mentions."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from projections.release_inclusion.history.carriers import (
    Carrier,
    CarrierRole,
    Carriers,
    Method,
    ReadCommit,
)
from projections.release_inclusion.history.copy_mentions import COPY, PATCH, SAID, SAME_PATCH
from projections.release_inclusion.history.decisions import DECIDED
from projections.release_inclusion.history.graph import CommitGraph
from projections.release_inclusion.history.likeness import Where
from projections.release_inclusion.history.lines import BranchLine
from projections.release_inclusion.history.naming import ShaFinder, TitleFinder
from projections.release_inclusion.messages.mention import Certainty, Mention, Role

_COPIES: Final = {
    COPY: Method.COPY,
    PATCH: Method.PATCH,
    SAME_PATCH: Method.SAME_PATCH,
    SAID: Method.TEMPLATE,
    DECIDED: Method.DECIDED,
}
_SAID: Final = frozenset({Method.TRAILER, Method.TEMPLATE})


def certain_mentions(readings: Mapping[str, ReadCommit], sha: str, role: Role) -> list[Mention]:
    """Return the mentions of one role in a commit that may decide a verdict."""
    reading = readings.get(sha)
    return [
        mention
        for mention in (reading.mentions if reading else ())
        if mention.role is role and mention.certainty is Certainty.CERTAIN
    ]


class MentionedCarriers:
    """Adds, to the carriers that are known, those that follow from mentions.

    `lines` are the first-parent lines of the long-lived branches; `heads` are the heads of requests
    and their numbers; `on_default` tells what came to the default branch first.
    """

    def __init__(
        self,
        graph: CommitGraph,
        readings: Mapping[str, ReadCommit],
        carriers: Carriers,
        lines: Mapping[str, BranchLine],
        heads: Mapping[str, int],
        on_default: Where,
    ) -> None:
        self._graph, self._readings, self._carriers = graph, readings, carriers
        self._lines, self._heads, self._on_default = lines, heads, on_default
        self._shas = ShaFinder(graph)

    @cached_property
    def _titles(self) -> TitleFinder:
        return TitleFinder(self._readings)

    def add(self) -> None:
        """Add what picks and restores carry, commit by commit."""
        self._add_named_heads()
        speaking = [sha for sha, read in self._readings.items() if read.mentions]
        # What a merge brought says for itself what it carries; the merge has the rest.
        for sha in sorted(speaking, key=self._is_merge):
            if sha in self._graph:
                self._pick(sha)
                for mention in certain_mentions(self._readings, sha, Role.RESTORE):
                    if mention.number is not None:
                        self._carry(sha, mention.number, CarrierRole.RESTORE, Method.TEMPLATE)

    def _add_named_heads(self) -> None:
        """Let the own commits of a request carry it, where its head alone is known and is picked.

        What names the last of several commits picks no more than that one.
        """
        readings = self._readings
        picks = (m for sha in readings for m in certain_mentions(readings, sha, Role.PICK))
        named = {self._shas.find(mention.sha) for mention in picks if mention.sha}
        for head in sorted(sha for sha in named if sha and sha in self._heads):
            if self._carriers.at(head) or self._is_on_a_line(head):
                continue
            for sha in self._own_commits(head):
                self._carriers.add(
                    Carrier(
                        sha=sha,
                        number=self._heads[head],
                        landing=head,
                        role=CarrierRole.LANDING,
                        method=Method.HEAD,
                    )
                )

    def _own_commits(self, head: str) -> list[str]:
        """Return the commits of a request's branch that carry nothing, without merges: those that
        no long-lived branch holds, or that entered one together with the head.
        """
        entry = self._entry(head)
        own: dict[str, None] = {}
        waiting = [head]
        while waiting:
            sha = waiting.pop()
            other = sha not in self._graph or self._entry(sha) != entry or self._carriers.at(sha)
            if sha not in own and not other and not self._is_on_a_line(sha):
                own[sha] = None
                waiting += map(self._graph.sha, self._graph.parents(self._graph.node(sha)))
        return [sha for sha in own if not self._is_merge(sha)]

    def _entry(self, sha: str) -> str | None:
        entries = (line.entry(sha) for line in self._lines.values())
        return next((entry for entry in entries if entry is not None), None)

    def _is_on_a_line(self, sha: str) -> bool:
        return sha in self._graph and any(line.on_line(sha) for line in self._lines.values())

    def _is_merge(self, sha: str) -> bool:
        return sha in self._graph and self._graph.is_merge(sha)

    def _pick(self, sha: str) -> None:
        inside = self._inside_numbers(sha)
        for mention in certain_mentions(self._readings, sha, Role.PICK):
            method = Method.DECIDED if mention.method == DECIDED else Method.TEMPLATE
            for number in self._numbers(sha, mention) - inside:
                self._carry(sha, number, self._copy_role(sha, method), method)
        self._pick_by_trailers(sha)

    def _numbers(self, sha: str, mention: Mention) -> set[int]:
        """Return the requests that a pick names by number, or (a person confirmed it) by title."""
        if mention.number is not None:
            return {mention.number}
        if mention.method != DECIDED or mention.sha or not mention.title:
            return set()
        titled = mention.among or self._titles.find(mention.title)
        named = {c.number for other in titled for c in self._carriers.at(other) if other != sha}
        return named - {self._carriers.own(sha)}

    def _pick_by_trailers(self, sha: str) -> None:
        # Trailers of a chain are ordered nearest first; the nearest that is known decides. One
        # commit made of several picks names each of them: commits of one request, or of several
        # that were all on the default branch. What has the patch of several is each of them.
        picks = certain_mentions(self._readings, sha, Role.PICK)
        equal = [mention for mention in picks if mention.method == PATCH]
        for mentions in ([m for m in picks if m.method != PATCH], *([m] for m in equal)):
            self._pick_commits(sha, mentions, {mention.number for mention in picks})

    def _pick_commits(self, sha: str, picks: list[Mention], whole: set[int | None]) -> None:
        named = [mention.sha for mention in picks if mention.sha]
        origins = [self._origins_at(named_sha, frozenset({sha})) for named_sha in named]
        method = next((_COPIES[m.method] for m in picks if m.method in _COPIES), Method.TRAILER)
        role = self._copy_role(sha, method)
        nearest: dict[int, str | None] = next((origin for origin in origins if origin), {})
        combined = (o for name, o in zip(named, origins, strict=True) if self._is_first(name))
        for number in dict.fromkeys((*nearest, *(n for origin in combined for n in origin))):
            shas = tuple(dict.fromkeys(o[number] for o in origins if number in o))
            copies = () if number in whole or None in shas else tuple(filter(None, shas))
            self._carry(sha, number, role, method, copies)

    def _is_first(self, named: str) -> bool:
        sha = self._shas.find(named)
        return sha is not None and self._on_default(sha)

    def _copy_role(self, sha: str, method: Method) -> CarrierRole:
        """Return as what a commit carries what it copies.

        What came to the default branch under a number of its own, and does not say that it is a
        pick, is no backport: it is told as itself too.
        """
        if method in _SAID or self._carriers.own(sha) is None:
            return CarrierRole.PICK
        return CarrierRole.TWIN if self._on_default(sha) else CarrierRole.PICK

    def _inside_numbers(self, sha: str) -> set[int]:
        """Return what the commits inside a merge carry themselves: the merge adds nothing to it."""
        own = self._carriers.own(sha)
        if own is None or not self._graph.is_merge(sha):
            return set()
        for line in self._lines.values():
            if line.on_line(sha):
                return {
                    c.number for brought in line.brought_by(sha) for c in self._carriers.at(brought)
                }
        return set()

    def _origins_at(self, sha: str, passed: frozenset[str]) -> dict[int, str | None]:
        """Return the requests whose change a commit is, through any chain of picks.

        With each the commit that is its original, None where it stands for the whole request.
        """
        sha = self._shas.find(sha) or sha
        if sha in passed:
            return {}
        for mention in certain_mentions(self._readings, sha, Role.PICK):
            if mention.number is not None:
                return {mention.number: None}
            if mention.sha and (further := self._origins_at(mention.sha, passed | {sha})):
                return {**further, **self._of_its_own(sha, mention)}
        carriers = [c for c in self._carriers.at(sha) if c.role is not CarrierRole.SYNC]
        if not carriers and sha in self._heads and not self._is_on_a_line(sha):
            return {self._heads[sha]: None}
        single = sha in self._graph and not self._graph.is_merge(sha)
        return {
            c.number: sha if single and c.role is CarrierRole.LANDING else None for c in carriers
        }

    def _of_its_own(self, sha: str, mention: Mention) -> dict[int, str]:
        """Return the request of a commit that is told as itself, though it is like another one."""
        own = self._carriers.own(sha)
        is_twin = self._copy_role(sha, _COPIES.get(mention.method, Method.TRAILER))
        return {own: sha} if own is not None and is_twin is CarrierRole.TWIN else {}

    def _carry(
        self, sha: str, number: int, role: CarrierRole, method: Method, copies: tuple[str, ...] = ()
    ) -> None:
        # A commit inside a merge lands nothing of its own; the merge has said what brought it.
        known = (carrier.via for carrier in self._carriers.at(sha) if carrier.number == number)
        via = self._carriers.own(sha) or next(known, None)
        if via != number:
            self._carriers.add(
                Carrier(
                    sha=sha,
                    number=number,
                    landing=sha,
                    role=role,
                    method=method,
                    via=via,
                    copies=copies,
                )
            )
