"""Patch ids of commits that look like copies of others, by which release inclusion settles them.

They are few, so that they are made at each import of a clone that has the blobs, whether its other
contents are read or not.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from events.facts.files import PatchIdentity
from events.identity import RepositoryKey
from events.log.port import Clock, Log
from events.sources.git_contents import patches_record
from projections.release_inclusion.history.likeness import worth_comparing
from services.intake.git.command import GitFault
from services.intake.git.differences import Difference, is_partial, present_objects
from services.intake.git.memory import Imported
from services.intake.git.patches import METHOD, can_identify, identify_patches
from services.intake.git.refs import HEADS
from services.intake.git.repository import GitRepository

_BATCH: Final = 500


def copy_differences(
    git: GitRepository, known: Imported, parents: Mapping[str, Sequence[str]]
) -> list[Difference]:
    """Return what commits of branches change that may be copies, and what their likenesses do.

    Left out are those with a patch id, merges, and the edge of a shallow clone. `parents` is the
    whole graph.
    """
    default = known.refs.get(f"{HEADS}{known.default_branch}")
    if default is None or default.sha is None or default.sha not in parents:
        return []
    on_default = _reached(parents, default.sha)
    boundary = git.shallow_boundary()
    worth = worth_comparing(git.titles(_tips(known)), on_default.__contains__)
    return [
        Difference(sha, next(iter(parents[sha]), None))
        for sha in sorted(worth - boundary)
        if len(parents.get(sha, ())) < 2 and (METHOD, sha, None) not in known.identified
    ]


def compare_copies(
    git: GitRepository, known: Imported, *, log: Log, repository: RepositoryKey, clock: Clock
) -> int:
    """Record the patch ids of commits that look alike; return how many are new.

    `known` is what the log holds, the import of this clone with it. Nothing is done where git is
    too old or the clone lacks the blobs.
    """
    if is_partial(git.path) or not can_identify(git):
        return 0
    parents = git.graph(_tips(known))
    differences = copy_differences(git, known, parents)
    count = 0
    for start in range(0, len(differences), _BATCH):
        identities = _identified(git, differences[start : start + _BATCH])
        if identities:
            log.append([patches_record(repository, METHOD, identities, time=clock())])
        count += len(identities)
    return count


def _identified(git: GitRepository, batch: list[Difference]) -> list[PatchIdentity]:
    try:
        return identify_patches(git.path, batch, None, of_heads=False)
    except GitFault:  # a clone that lacks blobs without saying that it does
        return identify_patches(git.path, batch, present_objects(git.path), of_heads=False)


def _tips(known: Imported) -> list[str]:
    """Return the tips of branches and tags; heads of requests are nobody's copies."""
    named = (ref.sha for name, ref in known.refs.items() if not name.startswith("refs/pull/"))
    return sorted({sha for sha in named if sha})


def _reached(parents: Mapping[str, Sequence[str]], tip: str) -> set[str]:
    reached, waiting = {tip}, [tip]
    while waiting:
        fresh = [sha for sha in parents.get(waiting.pop(), ()) if sha not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached
