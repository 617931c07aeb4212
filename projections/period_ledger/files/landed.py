"""The commits that land merged requests, and the files that they change, as recorded. Pure."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from events.facts.base import Trust
from events.facts.pull_request import PullRequestObserved
from events.sources.commit_message import landing
from projections.period_ledger.exclusions import ListState
from projections.pull_requests.observation import Observation, shows_merge
from projections.release_inclusion.commit_paths import CommitReader, RecordedCommit

Origin: TypeAlias = Literal["landing", "head", "api", "nothing"]


class Files(msgspec.Struct, frozen=True, kw_only=True):
    """The paths of one request, sorted, where they come from, and the records that show them.

    `commits` are those whose differences are the change; empty where a list of the API is.
    """

    paths: tuple[str, ...] = ()
    state: ListState = "missing"
    origin: Origin = "nothing"
    commits: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


def union(shas: Sequence[str], known: Mapping[str, RecordedCommit], origin: Origin) -> Files:
    """Join the paths of commits; the list is missing where those of one commit are."""
    commits = [known[sha] for sha in shas if sha in known]
    paths = {path for commit in commits for path in commit.commit.paths or ()}
    whole = len(commits) == len(shas) and all(commit.commit.paths is not None for commit in commits)
    state: ListState = "missing" if not whole else "whole" if paths else "empty"
    return Files(
        paths=tuple(sorted(paths)),
        state=state,
        origin=origin,
        commits=tuple(shas),
        records=tuple(sorted({commit.record_id for commit in commits})),
    )


def landed_files(
    reader: CommitReader, observed: Mapping[int, Sequence[Observation]]
) -> dict[int, Files]:
    """Return the files of those merged requests whose landing is recorded.

    `observed` is what each of them showed up to T, in order.
    """
    landings, known = _landings(reader, observed)
    below = {sha for shas in landings.values() for sha in shas} - known.keys()
    known |= reader.recorded(below)
    return {number: union(shas, known, "landing") for number, shas in landings.items()}


def whole_landings(
    reader: CommitReader, observed: Mapping[int, Sequence[Observation]]
) -> dict[int, tuple[str, ...]]:
    """Return all commits of the landings that are recorded, the last one first."""
    return _landings(reader, observed)[0]


def _landings(
    reader: CommitReader, observed: Mapping[int, Sequence[Observation]]
) -> tuple[dict[int, tuple[str, ...]], dict[str, RecordedCommit]]:
    named = {number: landing_commits(observations) for number, observations in observed.items()}
    known = reader.recorded(sha for shas in named.values() for sha in shas)
    claimed = {sha for shas in named.values() for sha in shas}
    landings = {
        number: _whole(reader, number, observed[number], known[sha], claimed)
        for number, shas in named.items()
        if (sha := next((sha for sha in shas if sha in known), None)) is not None
    }
    return landings, known


def landing_commits(observations: Sequence[Observation]) -> list[str]:
    """Return the commits that are said to land a request, the most believed first.

    Of full objects the newest; of git the most trusted, then the oldest, as picks onto other
    branches come later (`pull_requests.merges`).
    """
    merges = [
        observation.fact
        for observation in observations
        if shows_merge(observation.fact) and observation.fact.merge_commit_sha
    ]
    full = [fact for fact in merges if fact.trust >= Trust.ARCHIVE_FULL]
    by_git = [fact for fact in merges if fact.trust < Trust.ARCHIVE_FULL]
    ordered = [*reversed(full), *sorted(by_git, key=_by_trust)]
    return list(dict.fromkeys(fact.merge_commit_sha or "" for fact in ordered))


def _by_trust(fact: PullRequestObserved) -> tuple[int, int, str]:
    return -fact.trust, fact.merged_at or 0, fact.merge_commit_sha or ""


def _whole(
    reader: CommitReader,
    number: int,
    observations: Sequence[Observation],
    last: RecordedCommit,
    claimed: set[str],
) -> tuple[str, ...]:
    """Return the commits of a landing: of a rebase merge also those below the last one."""
    commit, count = last.commit, _commit_count(observations)
    if count < 2 or len(commit.parents) != 1 or _is_squash(number, observations, commit.subject):
        return (commit.sha,)
    whole = [commit.sha]
    while len(whole) < count:
        parent = reader.links[whole[-1]].parents[0]
        link = reader.links.get(parent)
        # commits that became empty were dropped: the walk ends at the next request's landing
        if link is None or len(link.parents) != 1 or parent in claimed:
            break
        whole.append(parent)
    return tuple(whole)


def _commit_count(observations: Sequence[Observation]) -> int:
    counts = [
        observation.fact.commits
        for observation in observations
        if observation.fact.commits is not None
    ]
    return counts[-1] if counts else 1


def _is_squash(number: int, observations: Sequence[Observation], subject: str) -> bool:
    """Tell whether one commit is the whole landing: its subject is the request's own."""
    stated = landing(subject, "", parents=1)
    return (stated is not None and stated.number == number) or any(
        observation.fact.title == subject for observation in observations
    )
