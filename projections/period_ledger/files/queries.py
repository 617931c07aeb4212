"""The files of requests at one (T, K): from their landings, their heads, or a list of the API.

* Merged: the recorded paths of the landing, of a landing of n commits their union, of a merge its
  difference to the first parent. Where no landing is recorded, the API's last list.
* Not merged: the API's list of the very head; else the union over the commits of the head that the
  base branch did not have; else the API's last list.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from events.identity import RepositoryKey
from events.instant import Instant
from projections.changed_files.queries import ListedFiles, file_lists_of
from projections.period_ledger.exclusions import ListState
from projections.period_ledger.files.heads import HeadFiles
from projections.period_ledger.files.landed import Files, landed_files
from projections.pull_requests import queries as pull_requests
from projections.pull_requests.observation import Observation, Sighting, in_order
from projections.release_inclusion.commit_paths import CommitReader
from projections.store.snapshot import Snapshot


def files_at(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    merged: Iterable[int],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, Files]:
    """Return the files of some requests, of each at least that nothing is known of them.

    `merged` are those of the requests that are merged at T.
    """
    merged = set(merged)
    wanted = merged.union(numbers)
    sights = sights_of(snapshot, repo, wanted, known_at)
    return files_seen(
        snapshot, repo, sights.of(wanted), merged, as_of, known_at, commits=sights.commits
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sights:
    """What is recorded of some requests, and of their commits, at one K: all of it read once."""

    requests: Mapping[int, Sequence[Sighting]]
    commits: CommitReader

    def of(self, numbers: Iterable[int]) -> dict[int, Sequence[Sighting]]:
        """Return what was seen of some of the requests; of one that was never seen, nothing."""
        return {number: self.requests.get(number, ()) for number in numbers}


def sights_of(
    snapshot: Snapshot, repo: RepositoryKey, numbers: Iterable[int], known_at: Instant
) -> Sights:
    """Read what was seen of some requests by K."""
    return Sights(
        requests=pull_requests.sightings_of(snapshot, repo, numbers, known_at),
        commits=CommitReader(snapshot, repo, known_at),
    )


def files_seen(
    snapshot: Snapshot,
    repo: RepositoryKey,
    sightings: Mapping[int, Iterable[Sighting]],
    merged: Iterable[int],
    as_of: Instant,
    known_at: Instant,
    commits: CommitReader | None = None,
) -> dict[int, Files]:
    """Return the files of requests whose sights are at hand; see `files_at`.

    `commits` is a reader of the same repository and K, if there is one.
    """
    reader = commits or CommitReader(snapshot, repo, known_at)
    observed = {
        number: in_order(
            sighting
            for sighting in sights
            if isinstance(sighting, Observation) and sighting.fact.at <= as_of
        )
        for number, sights in sorted(sightings.items())
    }
    landed = landed_files(reader, {number: observed[number] for number in merged})
    left = [number for number in observed if number not in landed]
    heads = HeadFiles(reader, observed, as_of)
    by_head = heads.of(number for number in left if number not in merged)
    lists = file_lists_of(snapshot, repo, left, known_at)
    for number in left:
        usable = [listed for listed in lists.get(number, ()) if listed.fact.at <= as_of]
        landed[number] = _best(by_head.get(number), usable, heads.head(number) if usable else None)
    return landed


def _best(by_head: Files | None, lists: Sequence[ListedFiles], head: str | None) -> Files:
    of_head = [listed for listed in lists if head is not None and listed.fact.head == head]
    if of_head:
        return _of_list(of_head[-1])
    if by_head is not None and by_head.state != "missing":
        return by_head
    return _of_list(lists[-1]) if lists else Files()


def _of_list(listed: ListedFiles) -> Files:
    fact = listed.fact
    state: ListState = "whole" if fact.paths else "empty"
    if fact.torn:
        state = "missing"
    elif fact.capped:
        state = "capped"
    return Files(paths=fact.paths, state=state, origin="api", records=(listed.record_id,))
