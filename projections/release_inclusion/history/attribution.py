"""Which commits stand for which request, as known at one K: the join of this projection's rules.

What a commit carries does not depend on the moment that is asked about: a question's T chooses
refs, and a ref is a commit (MODEL.md 9). One attribution therefore answers for every T, and it is
kept (`kept.py`) until something is recorded that it is made from.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from events.facts.curation import MentionDecided
from events.facts.git import Commit
from projections.release_inclusion.history.again import landed_again
from projections.release_inclusion.history.carriers import (
    Carrier,
    Carriers,
    Method,
    ReadCommit,
    Request,
    read_commit,
)
from projections.release_inclusion.history.claims import weighed
from projections.release_inclusion.history.copies import with_copies
from projections.release_inclusion.history.decisions import (
    decided,
    latest,
    mention_id,
    undecided,
)
from projections.release_inclusion.history.graph import CommitGraph, Reach, reach
from projections.release_inclusion.history.homes import Home
from projections.release_inclusion.history.landings import find_carriers
from projections.release_inclusion.history.lines import BranchLine, Chains
from projections.release_inclusion.history.naming import TitleFinder
from projections.release_inclusion.history.resolution import Resolution, Resolved
from projections.release_inclusion.history.squashed import Squashes
from projections.release_inclusion.history.targets import resolve
from projections.release_inclusion.messages.fixes import Fix
from projections.release_inclusion.messages.mention import Certainty, Mention, Role
from projections.release_inclusion.messages.references import Names

WHOLE: Final = "one commit of several"
"""The method of the question whether a copy holds more than the commit that it looks like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """What a repository's commits stand for; everything derived is computed once."""

    graph: CommitGraph
    branches: Mapping[str, str]
    """The tips of the long-lived branches that stand now, the default branch first."""
    committed_at: "array[int]"
    """By node of the graph: when it was committed; 0 of what was never given."""
    chains: Chains
    reach: Reach
    """Of the tips that stand now: the branches, then the tags."""
    carriers: Carriers
    resolution: Resolution
    fixes: Mapping[str, tuple[Fix, ...]]
    """By commit: what it says it mends."""
    requests: Mapping[int, Request]
    """As better sources than git show them, the last that is known of each."""
    may_hold_more: Set[tuple[str, int]]
    """Copies (commit, request) that may hold more commits of a landing than the one they copy."""
    named: Set[int]
    """Every number that a commit or a person's answer names, in whatever words: what is known of
    these requests may bear on the rest."""


def attribute(
    commits: Iterable[Commit],
    *,
    branches: Mapping[str, str],
    tags: Iterable[str] = (),
    gone: Mapping[str, str] = MappingProxyType({}),
    past: Iterable[str] = (),
    requests: Collection[Request] = (),
    names: Names | None = None,
    decisions: Iterable[MentionDecided] = (),
    strangers: Set[int] = frozenset(),
    patches: Mapping[str, str] = MappingProxyType({}),
) -> Attribution:
    """Read a history.

    `branches` are the tips of the long-lived branches by name, the default branch first; `tags`
    further tips that hold commits. All are commits. `gone` are such branches that were deleted, at
    their last commit, `past` earlier values of any of these. `decisions` of persons are laid over
    the messages; `strangers` are numbers of issues, `patches` the patch ids of commits, where they
    were read.
    """
    decisions = tuple(decisions)
    known = {request.number: request for request in requests}
    commits, as_written = _read(commits, names or Names())
    graph = CommitGraph((commit.sha, commit.parents) for commit in commits)
    now = reach(graph, (*branches.values(), *tags))
    lost = _lost(now, (*gone.values(), *past))
    held = reach(graph, (*now.tips, *lost)) if lost else now
    chains = Chains(graph)
    chains.add((*branches.values(), *gone.values(), *lost))
    lines = {
        name: BranchLine(graph, tip, chains) for name, tip in (*branches.items(), *gone.items())
    }
    home = Home(lines.get(next(iter(branches), "")), held)
    readings = with_copies(
        commits,
        weighed(graph, as_written, known.values(), lines),
        on_default=home.is_first,
        in_default=home.holds,
        held=lambda sha: bool(held.tips_of(sha)),
        patches=patches,
    )
    readings = decided(readings, decisions, strangers)
    carriers = find_carriers(graph, readings, known.values(), lines, home.is_first)
    squashes = Squashes(graph, readings, carriers, known, lines)
    squashes.add_listed()
    answers = latest(decisions)

    def is_rejected(doubt: Resolved) -> bool:
        answer = answers.get(mention_id(doubt.sha, doubt.mention))
        return answer is not None and not answer.holds

    unsure = [doubt for doubt in squashes.doubts() if not is_rejected(doubt)]
    titles = TitleFinder(readings)
    resolution = resolve(graph, readings, carriers, titles)
    again = landed_again(graph, commits, readings, carriers, resolution.targets(), patches)
    if again:
        # later reverts may take out what came back
        readings = undecided(readings, again, answers)
        resolution = resolve(graph, readings, carriers, titles)
    copies = (carrier for carrier in carriers if carrier.method is Method.COPY)
    return Attribution(
        graph=graph,
        branches=dict(branches),
        committed_at=_committed_at(graph, commits),
        chains=chains,
        reach=now,
        carriers=carriers,
        resolution=Resolution(resolution.reverts, (*resolution.doubts, *unsure)),
        fixes={sha: reading.fixes for sha, reading in readings.items() if reading.fixes},
        requests=known,
        may_hold_more=frozenset(
            (copy.sha, copy.number)
            for copy in copies
            if _differs(copy, patches) and not is_rejected(whole_doubt(copy))
        ),
        named=frozenset(_named(as_written.values(), decisions)),
    )


def _read(commits: Iterable[Commit], names: Names) -> tuple[list[Commit], dict[str, ReadCommit]]:
    """Return commits without their messages, which are most of a history, and how these read."""
    bare, readings = list[Commit](), dict[str, ReadCommit]()
    for commit in commits:
        readings[commit.sha] = read_commit(commit, names)
        bare.append(replace(commit, message=""))
    return bare, readings


def _named(readings: Iterable[ReadCommit], decisions: Iterable[MentionDecided]) -> Iterator[int]:
    for reading in readings:
        if reading.own is not None:
            yield reading.own.number
        yield from (mention.number for mention in reading.mentions if mention.number is not None)
        yield from reading.closes
        yield from (listed.number for listed in reading.listed)
        yield from (fix.number for fix in reading.fixes if fix.number is not None)
    yield from (decision.number for decision in decisions if decision.number is not None)


def _lost(now: Reach, past: Iterable[str]) -> list[str]:
    """Return the earlier tips that a force push or a deletion took from what is reached now."""
    earlier = dict.fromkeys(past)
    return [sha for sha in earlier if sha in now.graph and not now.tips_of(sha)]


def _committed_at(graph: CommitGraph, commits: Iterable[Commit]) -> "array[int]":
    dates = array("q", bytes(8 * len(graph)))
    for commit in commits:
        dates[graph.node(commit.sha)] = commit.committed_at
    return dates


def _differs(copy: Carrier, patches: Mapping[str, str]) -> bool:
    """Tell whether a copy of one commit may hold others of its landing too.

    A backport of several commits is often squashed, and keeps author, date and title of one. Only
    where its patch is that one's it holds no more.
    """
    patch = patches.get(copy.sha)
    return patch is None or any(patches.get(sha) != patch for sha in copy.copies)


def whole_doubt(carrier: Carrier) -> Resolved:
    """Return the question whether a copy of one commit of a request holds all of it."""
    mention = Mention(
        role=Role.PICK, method=WHOLE, certainty=Certainty.REVIEW, number=carrier.number
    )
    numbers = frozenset({carrier.number})
    return Resolved(sha=carrier.sha, mention=mention, targets=frozenset(), numbers=numbers)
