"""Who wrote what requests brought, as far as git tells: the names in commits, no logins.

Of a squash it is the author of the commit, which GitHub makes the request's; of a merge the author
of the head that was merged, since the merge itself is the work of the one who merged. The heads of
a merge bot's batch cannot be told apart, so its requests get no name.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from events.facts.git import Commit
from events.identity import RepositoryKey
from events.instant import Instant
from events.sources.commit_message import landings
from projections.pull_requests.attributes import Attributes
from projections.release_inclusion.commit_paths import CommitReader
from projections.store.snapshot import Snapshot


def with_commit_authors(
    snapshot: Snapshot,
    repo: RepositoryKey,
    attributes: Mapping[int, Attributes],
    known_at: Instant,
    reader: CommitReader | None = None,
) -> dict[int, Attributes]:
    """Add the author of the commits to requests whose author no better source shows.

    `reader` is one of the same repository and K that has read some of the commits already.
    """
    reader = reader or CommitReader(snapshot, repo, known_at)
    nameless = {
        number: its.landing
        for number, its in attributes.items()
        if its.author is None and its.landing is not None
    }
    landed = reader.newest(nameless.values())
    brought = {sha: known for sha, known in landed.items() if not _is_batch(known.commit)}
    heads = {sha: known.commit.parents[1:2] for sha, known in brought.items()}
    merged = reader.newest(head for its in heads.values() for head in its)
    complete = dict(attributes)
    for number, sha in nameless.items():
        work = [merged.get(head) for head in heads.get(sha, ())] or [brought.get(sha)]
        names = [known.commit.author for known in work if known is not None and known.commit.author]
        if names:
            complete[number] = replace(attributes[number], commit_author=names[0])
    return complete


def _is_batch(commit: Commit) -> bool:
    return len(landings(commit.subject, commit.message, parents=len(commit.parents))) > 1
