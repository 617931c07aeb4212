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
    landings = {number: landing_commits(seen) for number, seen in observed.items()}
    heads = _heads(snapshot, repo, observed, as_of, known_at)
    asked = {sha for shas in landings.values() for sha in shas}.union(heads.values())
    known = patch_ids_of(snapshot, repo, asked, known_at)
    if not known:
        return dict(members)
    landed = {number: _of_landing(shas, known) for number, shas in landings.items()}
    shown = {number: _of_head(heads.get(number), known) for number in members}
    counts = Counter(
        patch for number in members for patch in landed.get(number, frozenset()) | shown[number]
    )
    shared = {patch for patch, count in counts.items() if count > 1}
    in_question = [number for number, patches in landed.items() if patches & shared]
    reader = CommitReader(snapshot, repo, known_at)
    whole = whole_landings(reader, {number: observed[number] for number in in_question})
    own = {
        number: shown[number] | (landed[number] if len(whole.get(number, ())) == 1 else frozenset())
        for number in members
    }
    return {
        number: msgspec.structs.replace(one, patches=own[number] & shared)
        for number, one in members.items()
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
    for number, seen in observed.items():
        shown = [each.fact.head_sha for each in seen if each.fact.head_sha is not None]
        heads |= {number: shown[-1]} if shown else {}
    return {number: head for number, head in heads.items() if number in observed}


def _of_landing(shas: Sequence[str], known: Mapping[str, Sequence[KnownPatch]]) -> frozenset[str]:
    """Return the patch ids of the most believed landing commit whose contents were read."""
    for sha in shas:
        found = [one for one in known.get(sha, ()) if one.identity.since is None]
        if found:
            return frozenset(_key(one) for one in found if one.identity.patch)
    return frozenset()


def _of_head(sha: str | None, known: Mapping[str, Sequence[KnownPatch]]) -> frozenset[str]:
    found = known.get(sha, ()) if sha is not None else ()
    return frozenset(_key(one) for one in found if one.identity.since and one.identity.patch)


def _key(one: KnownPatch) -> str:
    return f"{one.method}: {one.identity.patch}"
