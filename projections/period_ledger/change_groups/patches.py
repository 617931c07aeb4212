"""The patch ids of requests: of the commit that is a whole landing, and of the head."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from events.identity import RepositoryKey
from events.instant import Instant
from projections.changed_files.queries import KnownPatch, patch_ids_of
from projections.period_ledger.change_groups.members import Member
from projections.period_ledger.files.landed import landing_commits, whole_landings
from projections.pull_requests.observation import Observation
from projections.release_inclusion.commit_paths import CommitReader
from projections.release_inclusion.queries import pull_heads, refs_at
from projections.store.snapshot import Snapshot


def with_patches(
    snapshot: Snapshot,
    repo: RepositoryKey,
    members: Mapping[int, Member],
    observed: Mapping[int, Sequence[Observation]],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, Member]:
    """Return the members with those patch ids that two or more of them have.

    `observed` is what each of them showed up to T, in order. A commit that is only a part of a
    landing shows nothing of the whole: it is left out.
    """
    landings = {number: landing_commits(observations) for number, observations in observed.items()}
    heads = _heads(snapshot, repo, observed, as_of, known_at)
    wanted = {sha for shas in landings.values() for sha in shas}.union(heads.values())
    known = patch_ids_of(snapshot, repo, wanted, known_at)
    if not known:
        return dict(members)
    landed = {number: _of_landing(shas, known) for number, shas in landings.items()}
    of_heads = {number: _of_head(heads.get(number), known) for number in members}
    counts = Counter(
        patch for number in members for patch in landed.get(number, frozenset()) | of_heads[number]
    )
    shared = {patch for patch, count in counts.items() if count > 1}
    in_question = [number for number, patches in landed.items() if patches & shared]
    reader = CommitReader(snapshot, repo, known_at)
    whole = whole_landings(reader, {number: observed[number] for number in in_question})
    own = {
        number: of_heads[number]
        | (landed[number] if len(whole.get(number, ())) == 1 else frozenset())
        for number in members
    }
    return {
        number: msgspec.structs.replace(member, patches=own[number] & shared)
        for number, member in members.items()
    }


def _heads(
    snapshot: Snapshot,
    repo: RepositoryKey,
    observed: Mapping[int, Sequence[Observation]],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, str]:
    """Return the heads of requests: as they showed last, else where their own refs pointed."""
    heads = pull_heads(refs_at(snapshot, repo, as_of, known_at))
    for number, observations in observed.items():
        head_shas = [
            observation.fact.head_sha
            for observation in observations
            if observation.fact.head_sha is not None
        ]
        heads |= {number: head_shas[-1]} if head_shas else {}
    return {number: head for number, head in heads.items() if number in observed}


def _of_landing(shas: Sequence[str], known: Mapping[str, Sequence[KnownPatch]]) -> frozenset[str]:
    """Return the patch ids of the most believed landing commit whose contents were read."""
    for sha in shas:
        whole = [patch for patch in known.get(sha, ()) if patch.identity.since is None]
        if whole:
            return frozenset(_key(patch) for patch in whole if patch.identity.patch)
    return frozenset()


def _of_head(sha: str | None, known: Mapping[str, Sequence[KnownPatch]]) -> frozenset[str]:
    patches = known.get(sha, ()) if sha is not None else ()
    return frozenset(
        _key(patch) for patch in patches if patch.identity.since and patch.identity.patch
    )


def _key(patch: KnownPatch) -> str:
    return f"{patch.method}: {patch.identity.patch}"
