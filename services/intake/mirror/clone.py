"""The bare, partial clone of one repository, and how it is kept like its remote.

A clone is made beside and takes its name only when it is whole, so `clone.git` is never a half one.
One that is locked (nobody else works here: the lock was left by a process that is gone) or damaged
is replaced in the same way. Branches, tags and request heads keep their own names, are overwritten
when they move and removed when they are gone. Blobs are fetched only if contents are asked for.
"""

import re
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import structlog

from events.errors import ShipledgerError
from services.config.mirror import QUEUE
from services.intake.git import GitRepository
from services.intake.git.command import Git
from services.intake.git.differences import is_partial
from services.intake.mirror.process import (
    NAME,
    MirrorStopped,
    RemoteFault,
    RemoteGit,
    RemoteTooSlow,
)

_HEAD: Final = re.compile(rb"^ref: (refs/heads/[^\x00-\x20\x7f]+)\tHEAD$", re.MULTILINE)
_FETCH: Final = (
    "fetch",
    "--force",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-tags",  # those asked for come by their refspec; following would bring others
    "--no-write-fetch-head",
    "--progress",
    "--prune",
    "--update-shallow",
)

_logger = structlog.get_logger(__name__)


def refspecs(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the refspecs that keep every ref under its own name, moved ones too."""
    return (*(f"+{pattern}:{pattern}" for pattern in patterns), f"^{QUEUE}")


class Clone:
    """One folder with `clone.git` in it; only one process at a time may use it."""

    def __init__(self, folder: Path, git: RemoteGit, repository: str, *, contents: bool) -> None:
        self.path = folder / "clone.git"
        self._git = git
        self._contents = contents
        self._log = _logger.bind(repository=repository, remote=git.remote.shown)

    def update(self) -> None:
        """Fetch; make the clone where there is none, and anew where it cannot be used.

        Raise RemoteFault where the remote cannot be fetched.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            self._log.info("mirror.cloning")
            self._make()
            return
        fault = self.fault()
        if fault is None:
            try:
                self._fetch(self.path)
            except (MirrorStopped, RemoteTooSlow):
                raise
            except RemoteFault:
                fault = self.fault(thorough=True)
                if fault is None:
                    raise
        if fault is not None:
            self.repair(fault)

    def repair(self, reason: str) -> None:
        """Clone anew beside and put that in the place of the clone."""
        self._log.warning("mirror.repairing", reason=reason)
        self._make()
        self._log.warning("mirror.repaired")

    def read(self) -> GitRepository:
        """Open the clone for reading."""
        return GitRepository(self.path)

    def tidy(self) -> None:
        """Pack together what many fetches left, where that has become much."""
        try:
            self._git.run(self.path, "gc", "--auto", "--quiet")
        except MirrorStopped:
            return  # nothing needs it now
        except RemoteFault as error:
            self._log.warning("mirror.not_tidied", error=str(error))

    def fault(self, *, thorough: bool = False) -> str | None:
        """Return why the clone cannot be used, None where it can as far as was looked."""
        lock = next((lock.name for lock in self.path.rglob("*.lock")), None)
        if lock is not None:
            return f"{lock} was left behind by a process that is gone"
        git = Git(self.path)
        try:
            if self._contents and is_partial(self.path):
                return "it was made without the contents of files"
            git.run("for-each-ref", "--count=1")
            if thorough:
                git.run("rev-list", "--all", "--quiet")
                git.run("fsck", "--connectivity-only", "--no-dangling", "--no-progress")
        except (ShipledgerError, OSError) as error:
            return str(error)
        return None

    def _make(self) -> None:
        folder = self.path.parent
        for leftover in folder.glob(f"{self.path.name}.*"):
            _remove(leftover)
        part, old = (Path(mkdtemp(prefix=f"{self.path.name}.", dir=folder)) for _ in range(2))
        Git(part).run("init", "--bare", "--quiet", "--template=", "--initial-branch=main")
        self._fetch(part)
        if self.path.exists():
            self.path.rename(old / self.path.name)
        part.rename(self.path)
        _remove(old)

    def _fetch(self, path: Path) -> None:
        head = _HEAD.search(self._git.run(path, "ls-remote", "--symref", NAME, "HEAD"))
        deeper = ("--unshallow",) if (path / "shallow").exists() else ()
        blobs = () if self._contents else ("--filter=blob:none",)
        self._git.run(path, *_FETCH, *blobs, *deeper, NAME)
        if head:
            name = head[1].decode("utf-8", "surrogateescape")
            Git(path).run("symbolic-ref", "HEAD", name)


def _remove(folder: Path) -> None:
    """Remove what nobody needs; a git that outlived its mirror may still be writing there."""
    shutil.rmtree(folder, ignore_errors=True)
