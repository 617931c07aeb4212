"""Clones as the importer reads them, written commit by commit, so that a test says what matters."""

from collections.abc import Mapping, Sequence

from events.facts.git import Commit, RefObserved
from events.record import Record
from events.sources.git_history import commits_record, refs_record
from tests.builders import REPO, at


def sha_of(name: str) -> str:
    """Return the SHA of a commit that tests call by a short name."""
    return name.encode().hex().ljust(40, "0")[:40]


def commit(
    name: str,
    subject: str,
    when: str,
    *parents: str,
    branch: str | None = "main",
    message: str = "",
    paths: tuple[str, ...] = ("src/a.py",),
) -> Commit:
    """Return a commit on the line of `branch` (None: on no line)."""
    return Commit(
        sha=sha_of(name),
        parents=tuple(map(sha_of, parents)),
        authored_at=at(when),
        committed_at=at(when),
        author="Ada",
        subject=subject,
        message=message,
        paths=paths,
        branch=branch,
    )


def clone(
    when: str,
    commits: Sequence[Commit],
    *,
    branches: Mapping[str, str],
    tags: Mapping[str, str] | None = None,
) -> list[tuple[str, Record]]:
    """Return what the first reading of a clone records, with its refs by the names of commits."""
    dates = {found.sha: found.committed_at for found in commits}
    refs = {f"refs/heads/{name}": tip for name, tip in branches.items()}
    refs |= {f"refs/tags/{name}": tip for name, tip in (tags or {}).items()}
    seen = [
        RefObserved(ref=ref, sha=sha_of(tip), at=dates[sha_of(tip)], evidence="assumed")
        for ref, tip in refs.items()
    ]
    read = refs_record(
        REPO, seen, full_name="acme/widget", default_branch="main", fetched_at=at(when)
    )
    return [(when, commits_record(REPO, tuple(commits), time=at(when))), (when, read)]
