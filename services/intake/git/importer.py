"""Imports the history of a clone: commits with changed paths, refs, and what they land.

`import_git` reads the clone and appends records; nothing is interpreted here. The mirror does the
same through `append_news`, with a memory that it keeps. Running it again appends only what is new:
commits, refs that moved, and commits that came to another branch (a fast-forward of `dev` to
`main`). What is in already is read back from the log, so an import that was cut off goes on where
it ended.

Heads of pull requests (`refs/pull/N/head`) are imported with their commits, which belong to no
branch: they land nothing, and their changed paths are there to be asked for. Of test merges
(`refs/pull/N/merge`), which GitHub keeps of open requests, the refs alone are imported.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import msgspec

from events.errors import InvalidQuestion
from events.facts.git import Commit
from events.facts.repository import GapFilled, GapObserved
from events.identity import DEFAULT_HOST, RepositoryKey, name_key
from events.log.port import Clock, Log
from events.record import Record
from events.sources.authored import author
from events.sources.git_history import COMMITS_TYPE, REFS_TYPE, commits_record, refs_record
from services.intake.git.branches import assign, choose_default, landing_order
from services.intake.git.memory import SHALLOW_REASON, Imported, recall
from services.intake.git.ref_changes import ref_changes
from services.intake.git.refs import PublishedRefs, Reading, matches
from services.intake.git.repository import GitRepository
from services.intake.git.tally import Tally

#: Bounds of one record: whichever is reached first, but always at least one item.
BATCH_ITEMS: Final = 500
BATCH_BYTES: Final = 1 << 20

Item = TypeVar("Item", bound=msgspec.Struct)
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many commits are done and how many there are to do."""


class ImportResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one import appended, and what it could not see.

    `commits` counts new commits and those that changed branch; `recognised`, `requests` and
    `months` are the `Tally` of them; `incomplete` names what this clone does not show.
    """

    commits: int
    refs: int
    records: int
    recognised: Mapping[str, int]
    requests: int
    months: tuple[str, ...]
    default_branch: str
    landing_branches: tuple[str, ...]
    incomplete: tuple[str, ...] = ()


def import_git(
    path: str | Path,
    *,
    log: Log,
    repository: RepositoryKey,
    full_name: str,
    clock: Clock,
    branches: Sequence[str] = (),
    default_branch: str | None = None,
    allow_shallow: bool = False,
    progress: Progress | None = None,
    partition: str | None = None,
) -> ImportResult:
    """Import what is new in the clone at `path` into the log.

    `branches` are globs of the branches beside the default one whose first-parent history counts
    as landing, in order of who owns a shared commit (none: those of `branch_roles`).
    `partition` is where the log keeps the repository, by default under its key. Raise
    InvalidQuestion for a path, a branch or a clone that cannot be used, with what to do about it.
    """
    _check_name(full_name)
    git = GitRepository(Path(path))
    if git.shallow and not allow_shallow:
        raise InvalidQuestion(_shallow(git))
    known = recall(log, repository, partition or repository)
    return append_news(
        git,
        known,
        log=log,
        repository=repository,
        full_name=full_name,
        reading=Reading(at=clock(), last=known.fetched_at),
        branches=branches,
        default_branch=default_branch,
        progress=progress,
    )


def append_news(
    git: GitRepository,
    known: Imported,
    *,
    log: Log,
    repository: RepositoryKey,
    full_name: str,
    reading: Reading,
    branches: Sequence[str] = (),
    default_branch: str | None = None,
    progress: Progress | None = None,
) -> ImportResult:
    """Append what a clone holds beyond what is `known` of the repository, as `import_git` does.

    A shallow clone is taken, and its gap with it.
    """
    run = _Import(git, log, repository, reading, progress)
    published = _followed(git.published_refs(full_name), reading)
    default = _default_branch(git, published, default_branch, known)
    order = landing_order(published.branches(), default, branches)
    landed = run.commits(published, known, order)
    refs = run.refs(published, known, full_name, default)
    return ImportResult(
        commits=run.done,
        refs=refs,
        records=run.records,
        recognised=landed.recognised,
        requests=landed.requests,
        months=landed.months,
        default_branch=default,
        landing_branches=order,
        incomplete=run.gaps(published, known),
    )


class _Import:
    """One run: what it reads, where it appends, and the counts it keeps."""

    def __init__(
        self,
        git: GitRepository,
        log: Log,
        repository: RepositoryKey,
        reading: Reading,
        progress: Progress | None,
    ) -> None:
        self.git = git
        self.done = 0
        self.records = 0
        self._log = log
        self._repository = repository
        self._progress = progress
        self._reading = reading

    def commits(self, published: PublishedRefs, known: Imported, order: Sequence[str]) -> Tally:
        """Append the commits that are new or came to another branch; count what they land."""
        parents = self.git.graph(published.tips())
        branch_of = assign(order, published.branches(), parents)
        boundary = self.git.shallow_boundary()
        wanted = [sha for sha in parents if _is_news(sha, branch_of.get(sha), known, boundary)]
        landed = Tally()
        self._tell(len(wanted))
        for batch in _batches(self._placed(wanted, branch_of, boundary)):
            previous = known.last_id.get(COMMITS_TYPE, "")
            record = commits_record(
                self._repository, batch, previous=previous, time=self._reading.at
            )
            self._append(record)
            known.last_id[COMMITS_TYPE] = record.id
            landed.take(batch)
            self.done += len(batch)
            self._tell(len(wanted))
        return landed

    def _placed(
        self, shas: Sequence[str], branch_of: Mapping[str, str], boundary: frozenset[str]
    ) -> Iterator[Commit]:
        for commit in self.git.commits(shas):
            # Git shows a commit at the edge of a shallow clone as if it had added every file.
            paths = None if commit.sha in boundary else commit.paths
            branch = branch_of.get(commit.sha)
            yield msgspec.structs.replace(commit, branch=branch, paths=paths)

    def refs(self, published: PublishedRefs, known: Imported, full_name: str, default: str) -> int:
        """Append the refs that changed, or that the repository's name or default branch did."""
        changes = ref_changes(
            published,
            known.refs,
            reading=self._reading,
            dates=known.dates,
            is_ancestor=self.git.is_ancestor,
        )
        renamed = (known.full_name, known.default_branch) != (full_name, default)
        batches = list(_batches(changes)) or ([[]] if renamed else [])
        for batch in batches:
            record = refs_record(
                self._repository,
                batch,
                full_name=full_name,
                default_branch=default,
                fetched_at=self._reading.at,
                previous=known.last_id.get(REFS_TYPE, ""),
            )
            self._append(record)
            known.last_id[REFS_TYPE] = record.id
        return len(changes)

    def gaps(self, published: PublishedRefs, known: Imported) -> tuple[str, ...]:
        """Name what the clone does not show; append a gap for what a shallow one is missing, and
        fill it once the clone is whole.
        """
        reasons = []
        boundary = self.git.shallow_boundary()
        if boundary:
            end = min(self.git.latest_commit_date(boundary), self._reading.at)
            gap = GapObserved(start=0, end=end, reason=SHALLOW_REASON)
            self._append(author(self._repository, gap, time=self._reading.at))
            reasons.append(SHALLOW_REASON)
        for gap_id in () if boundary else sorted(known.open_gaps):
            filled = GapFilled(gap=gap_id)
            self._append(author(self._repository, filled, time=self._reading.at))
        if published.remote and not published.remote.follows_all_branches:
            reasons.append(f"the clone follows only some branches of {published.remote.name}")
        reasons += [f"{ref.name} leads to no commit" for ref in published.refs if not ref.sha]
        return tuple(reasons)

    def _append(self, record: Record) -> None:
        (appended,) = self._log.append([record])
        self.records += appended.outcome == "stored"

    def _tell(self, total: int) -> None:
        if self._progress:
            self._progress(self.done, total)


def _is_news(sha: str, branch: str | None, known: Imported, boundary: frozenset[str]) -> bool:
    if sha not in known.branch_of or known.branch_of[sha] != branch:
        return True
    return sha in known.without_paths and sha not in boundary


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    size = 0
    for item in items:
        length = len(msgspec.json.encode(item))
        if batch and (len(batch) == BATCH_ITEMS or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length
    if batch:
        yield batch


def _followed(published: PublishedRefs, reading: Reading) -> PublishedRefs:
    """Leave out refs that the clone still has and does not follow any more."""
    if reading.follows is None:
        return published
    refs = tuple(ref for ref in published.refs if matches(ref.name, reading.follows))
    return msgspec.structs.replace(published, refs=refs)


def _shallow(git: GitRepository) -> str:
    return (
        f"{git.path} is a shallow clone: its older history is missing, and counts made from it "
        "would be too low. Deepen it first with: git fetch --unshallow. Or allow a shallow clone; "
        "everything made from it is then marked as incomplete"
    )


def _check_name(full_name: str) -> None:
    try:
        name_key(DEFAULT_HOST, full_name)
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None


def _default_branch(
    git: GitRepository, published: PublishedRefs, given: str | None, known: Imported
) -> str:
    """Return the default branch: the given one, else what the clone says of its origin.

    Of a repository with a worktree and no remote, what is checked out says little: the default
    branch of the import before comes first.
    """
    branches = published.branches()
    if not branches:
        raise InvalidQuestion(
            f"{git.path} has no branch with a commit yet; fetch or commit first, then import again"
        )
    if given is not None and given not in branches:
        raise InvalidQuestion(
            f"{git.path} has no branch {given!r}; it has {', '.join(sorted(branches)[:10])}"
        )
    defaults = [known.default_branch, published.default_branch]
    local = published.remote is None and not git.bare
    chosen = choose_default(branches, [given, *(defaults if local else reversed(defaults))])
    if chosen is None:
        raise InvalidQuestion(f"{git.path} does not say which branch is the default one; name it")
    return chosen
