"""Reads the contents of files: what changes the format alone, and which differences are equal.

It is done once for each commit, and only where the clone has the blobs: what a partial clone lacks
is left for another time and counted.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

import msgspec

from events.identity import RepositoryKey
from events.log.port import Clock, Log
from events.record import Record
from events.sources.git_contents import formats_record, patches_record
from services.intake.git.copies import copy_differences
from services.intake.git.differences import Difference, held_objects
from services.intake.git.format_rules import rules_version
from services.intake.git.formats import judge_formats
from services.intake.git.memory import Imported
from services.intake.git.patches import METHOD, check_git, head_differences, identify_patches
from services.intake.git.repository import GitRepository

#: So many differences are read and recorded together.
BATCH: Final = 500

_T = TypeVar("_T")


class ContentsResult(msgspec.Struct, frozen=True, kw_only=True):
    """How many commits were judged now, how many of them change the format alone, how many
    differences got a patch id, and how many of both were left because the clone lacks blobs.
    """

    judged: int = 0
    format_only: int = 0
    patches: int = 0
    without_blobs: int = 0


def read_contents(
    git: GitRepository,
    known: Imported,
    *,
    log: Log,
    repository: RepositoryKey,
    clock: Clock,
    progress: Callable[[int, int], None] | None = None,
) -> ContentsResult:
    """Read the contents of every commit of the clone's refs that were not read yet.

    `known` is what the log holds, the import of this clone with it; it is not changed. Raise
    ConfigurationError for a git that is too old.
    """
    check_git(git)
    run = _Reading(git, known, log, repository, clock, progress)
    run.formats()
    run.patches()
    return run.result


class _Reading:
    """One run: what is asked, where it is appended, and the counts it keeps."""

    def __init__(
        self,
        git: GitRepository,
        known: Imported,
        log: Log,
        repository: RepositoryKey,
        clock: Clock,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.result = ContentsResult()
        self._git, self._log, self._repository = git, log, repository
        self._clock, self._progress = clock, progress
        parents = git.graph(sorted({ref.sha for ref in git.refs() if ref.sha}))
        boundary = git.shallow_boundary()  # what those change is not known
        own = {sha: next(iter(its), None) for sha, its in parents.items() if sha not in boundary}
        self._rules = rules_version()
        self._judged = [
            Difference(sha, since)
            for sha, since in own.items()
            # a merge that lands nothing brings what others changed
            if (len(parents[sha]) < 2 or known.branch_of.get(sha))
            and (self._rules, sha) not in known.judged
        ]
        self._landed = [
            Difference(sha, since)
            for sha, since in own.items()
            if known.branch_of.get(sha) and (METHOD, sha, None) not in known.identified
        ]
        landed = {difference.sha for difference in self._landed}
        self._landed += [d for d in copy_differences(git, known, parents) if d.sha not in landed]
        self._heads = [
            difference
            for difference in head_differences(git, known, parents)
            if (METHOD, *difference) not in known.identified
        ]
        self._done, self._all = 0, len(self._judged) + len(self._landed) + len(self._heads)
        self._held = held_objects(git.path)

    def formats(self) -> None:
        """Judge the formats of commits."""
        for batch in self._batches(self._judged):
            judgements = judge_formats(self._git.path, batch, self._held)
            if judgements:
                self._append(
                    formats_record(self._repository, self._rules, judgements, time=self._clock())
                )
            self._count(
                judged=len(judgements),
                format_only=sum(judgement.format_only for judgement in judgements),
                without_blobs=len(batch) - len(judgements),
            )

    def patches(self) -> None:
        """Make the patch ids of landings and of what looks like a copy, then those of heads."""
        for differences, of_heads in ((self._landed, False), (self._heads, True)):
            for batch in self._batches(differences):
                identities = identify_patches(self._git.path, batch, self._held, of_heads=of_heads)
                if identities:
                    self._append(
                        patches_record(self._repository, METHOD, identities, time=self._clock())
                    )
                self._count(patches=len(identities), without_blobs=len(batch) - len(identities))

    def _batches(self, items: Iterable[_T]) -> Iterator[list[_T]]:
        remaining = iter(items)
        while batch := list(islice(remaining, BATCH)):
            yield batch
            self._done += len(batch)
            if self._progress:
                self._progress(self._done, self._all)

    def _append(self, record: Record) -> None:
        self._log.append([record])

    def _count(self, **more: int) -> None:
        counts = {name: getattr(self.result, name) + count for name, count in more.items()}
        self.result = msgspec.structs.replace(self.result, **counts)
