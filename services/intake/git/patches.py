"""Patch ids of landings and of requests' heads, by which equal changes are found anywhere.

A landing is a commit on the first-parent history of a branch that counts; its difference to its
first parent is all that a squash or a merge brings. A request's head is compared with the commit
on which its own commits are built.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from events.errors import ConfigurationError
from events.facts.files import PatchIdentity
from services.intake.git.command import Git, ObjectsMissing
from services.intake.git.differences import Difference, patch_ids, present_objects, shown
from services.intake.git.memory import Imported
from services.intake.git.refs import HEADS, PULLS, is_test_merge
from services.intake.git.repository import GitRepository

METHOD: Final = "git patch-id --stable"
#: Before it, two changes of binary files had one id.
_OLDEST: Final = (2, 39)


def check_git(git: GitRepository) -> None:
    """Raise ConfigurationError where this git's patch ids cannot be relied on."""
    if not can_identify(git):
        oldest = ".".join(map(str, _OLDEST))
        raise ConfigurationError(
            f"reading contents needs git {oldest} or later; this is {_version(git)}"
        )


def can_identify(git: GitRepository) -> bool:
    """Tell whether this git's patch ids can be relied on."""
    version = re.search(r"(\d{1,9})\.(\d{1,9})", _version(git))
    return version is not None and (int(version[1]), int(version[2])) >= _OLDEST


def _version(git: GitRepository) -> str:
    return Git(git.path).run("version").decode("utf-8", "replace").strip()


def identify_patches(
    path: Path, batch: Sequence[Difference], held: Collection[str] | None, *, of_heads: bool
) -> list[PatchIdentity]:
    """Return the patch ids of differences, without those whose blobs are not here.

    `held` is what `held_objects` says. A clone may lack blobs without saying that it does.
    """
    return [
        PatchIdentity(sha=difference.sha, since=difference.since if of_heads else None, patch=patch)
        for difference, patch in _patches(path, batch, held)
    ]


def _patches(
    path: Path, batch: Sequence[Difference], held: Collection[str] | None
) -> list[tuple[Difference, str | None]]:
    """Return the differences that can be read, with their patch ids; None: they change nothing.

    git ends at the first object that it cannot read, and what it printed of that commit is half a
    patch: nothing of such a run is believed. What is listed may still be damaged, so that the
    batch is halved until each fault stands alone.
    """
    try:
        readable = shown(path, batch, held)
        patches = patch_ids(path, readable)
    except ObjectsMissing:
        if held is None:
            return _patches(path, batch, present_objects(path))
        if len(batch) < 2:
            return []
        middle = len(batch) // 2
        return _patches(path, batch[:middle], held) + _patches(path, batch[middle:], held)
    return [(difference, patches.get(difference.sha)) for difference in readable]


def head_differences(
    git: GitRepository, known: Imported, parents: Mapping[str, Sequence[str]]
) -> Iterator[Difference]:
    """Yield what each request's head changes beside the branches that count as landing.

    Left out are heads that lie on such a branch, and those whose own commits cannot be told from
    others': a head that took in two branches, or stands on none. `parents` is the whole graph,
    parents before children.
    """
    branches = {branch for branch in known.branch_of.values() if branch is not None}
    tips = [known.refs[HEADS + branch].sha for branch in branches if HEADS + branch in known.refs]
    landed = _reached(parents, [tip for tip in tips if tip])
    place = {sha: nth for nth, sha in enumerate(parents)}
    shown_by = (ref for name, ref in known.refs.items() if name.startswith(PULLS))
    heads = {ref.sha for ref in shown_by if not is_test_merge(ref.ref)}
    for head in sorted(sha for sha in heads if sha is not None and sha in parents):
        since = _base(git, head, parents, landed, place) if head not in landed else None
        if since is not None:
            yield Difference(head, since)


def _reached(parents: Mapping[str, Sequence[str]], tips: Sequence[str]) -> set[str]:
    reached: set[str] = set()
    stack = list(tips)
    while stack:
        sha = stack.pop()
        if sha not in reached:
            reached.add(sha)
            stack += parents.get(sha, ())
    return reached


def _base(
    git: GitRepository,
    head: str,
    parents: Mapping[str, Sequence[str]],
    landed: Collection[str],
    place: Mapping[str, int],
) -> str | None:
    """Return the newest landed commit that a head is built on, if all others lie below it."""
    own, below = {head}, set[str]()
    stack = [head]
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent in landed:
                below.add(parent)
            elif parent not in own:
                own.add(parent)
                stack.append(parent)
    if not below:
        return None
    newest = max(below, key=place.__getitem__)
    return newest if all(git.is_ancestor(sha, newest) for sha in below - {newest}) else None
