"""Patch ids of commits that look like copies of others, by which release inclusion settles them.

They are few, so that they are made at each import and each fetch of a mirror that brought
something, as far as the clone has the blobs, whether its other contents are read or not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from events.identity import RepositoryKey
from events.log.port import Clock, Log
from events.sources.git_contents import patches_record
from projections.release_inclusion.history.likeness import worth_comparing
from services.intake.git.differences import Difference, held_objects
from services.intake.git.memory import Imported
from services.intake.git.patches import METHOD, can_identify, identify_patches
from services.intake.git.refs import HEADS, PULLS
from services.intake.git.repository import GitRepository

_BATCH: Final = 500


def copy_differences(
    git: GitRepository, known: Imported, parents: Mapping[str, Sequence[str]]
) -> list[Difference]:
    """Return what commits of branches change that may be copies, and what their likenesses do.

    Left out are those with a patch id, merges, and the edge of a shallow clone. `parents` is the
    whole graph of the clone, which may lack what was recorded from another one.
    """
    default = known.refs.get(f"{HEADS}{known.default_branch}")
    if default is None or default.sha is None or default.sha not in parents:
        return []
    on_default = _reached(parents, default.sha)
    boundary = git.shallow_boundary()
    tips = [tip for tip in _tips(known) if tip in parents]
    worth = worth_comparing(git.titles(tips), on_default.__contains__)
    return [
        Difference(sha, next(iter(parents[sha]), None))
        for sha in sorted(worth - boundary)
        if len(parents.get(sha, ())) < 2 and (METHOD, sha, None) not in known.identified
    ]


def compare_copies(
    git: GitRepository,
    known: Imported,
    *,
    log: Log,
    repository: RepositoryKey,
    clock: Clock,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Record the patch ids of commits that look alike; return how many are new.

    `known` is what the log holds, the import of this clone with it. Nothing is done where git is
    too old; what a clone without all blobs lacks is left for another time. `progress` is told how
    many are done, of how many.
    """
    if not can_identify(git):
        return 0
    tips = {ref.sha for ref in git.refs() if ref.sha and not ref.name.startswith(PULLS)}
    differences = copy_differences(git, known, git.graph(sorted(tips)))
    held = held_objects(git.path) if differences else None
    count = 0
    for start in range(0, len(differences), _BATCH):
        if progress:
            progress(start, len(differences))
        batch = differences[start : start + _BATCH]
        identities = identify_patches(git.path, batch, held, of_heads=False)
        if identities:
            log.append([patches_record(repository, METHOD, identities, time=clock())])
        count += len(identities)
    return count


def _tips(known: Imported) -> list[str]:
    """Return the tips of branches and tags; heads of requests are nobody's copies."""
    named = (ref.sha for name, ref in known.refs.items() if not name.startswith(PULLS))
    return sorted({sha for sha in named if sha})


def _reached(parents: Mapping[str, Sequence[str]], tip: str) -> set[str]:
    reached, waiting = {tip}, [tip]
    while waiting:
        fresh = [sha for sha in parents.get(waiting.pop(), ()) if sha not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached
