"""Small real repositories for tests, made by git in a temporary folder."""

import os
import subprocess
from pathlib import Path

from events.facts.base import Fact
from events.facts.git import Commit, CommitsObserved, RefObserved
from events.facts.pull_request import PullRequestObserved
from events.instant import SECOND, Instant
from events.log.memory import MemoryLog
from events.log.port import START
from events.sources.git_history import translate
from services.intake.git import ImportResult, import_git

REPOSITORY = "github.com/1001"
START_OF_TIME = 1_782_864_000  # 2026-07-01T00:00:00Z, as Unix time
NOW: Instant = (START_OF_TIME + 30 * 86_400) * SECOND


class Sandbox:
    """A repository in which every commit comes a minute after the one before."""

    def __init__(self, path: Path, *, bare: bool = False) -> None:
        self.path = path
        self.unix_time = START_OF_TIME
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *(["--bare"] if bare else []))

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """Run git here, at the sandbox's time, without anyone's configuration."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", "-c", "merge.ff=false", *arguments],
            cwd=self.path,
            env=self._environment(),
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "replace").strip()

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        date = f"{self.unix_time} +0000"
        who = {"NAME": "Ada", "EMAIL": "ada@example.invalid", "DATE": date}
        people = {f"GIT_{p}_{k}": v for p in ("AUTHOR", "COMMITTER") for k, v in who.items()}
        nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return kept | people | nobody

    def commit(self, message: str, **files: str | None) -> str:
        """Commit files (None deletes; no files: an empty commit) and return the new SHA."""
        self.unix_time += 60
        for name, content in files.items():
            target = self.path / name
            if content is None:
                target.unlink()
            else:
                target.write_text(content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.sha("HEAD")

    def merge(self, *branches: str, message: str) -> str:
        """Merge branches into the current one with a merge commit and return its SHA."""
        self.unix_time += 60
        self.git("merge", "-q", "--no-ff", "-m", message, *branches)
        return self.sha("HEAD")

    def sha(self, name: str) -> str:
        """Return the object that a name stands for."""
        return self.git("rev-parse", name)


class Imports:
    """A log, and imports into it; each import happens a day after the one before."""

    def __init__(self) -> None:
        self.now = NOW
        self.log = MemoryLog(lambda: self.now)

    def run(
        self,
        path: Path | str,
        *,
        branches: tuple[str, ...] = (),
        default_branch: str | None = None,
        allow_shallow: bool = False,
    ) -> ImportResult:
        """Import a clone as `acme/tool`."""
        self.now += 86_400 * SECOND
        return import_git(
            path,
            log=self.log,
            repository=REPOSITORY,
            full_name="acme/tool",
            clock=lambda: self.now,
            branches=branches,
            default_branch=default_branch,
            allow_shallow=allow_shallow,
        )

    def facts(self) -> list[Fact]:
        """Return all git facts of the log, in order."""
        entries = self.log.read(REPOSITORY, START)
        found: list[Fact] = []
        for entry in entries:
            facts = translate(entry.record) if entry.record.source == "git" else ()
            assert not isinstance(facts, str)
            found += facts
        return found

    def commits(self) -> dict[str, Commit]:
        """Return the newest statement about each commit."""
        batches = (fact.commits for fact in self.facts() if isinstance(fact, CommitsObserved))
        return {commit.sha: commit for batch in batches for commit in batch}

    def by_subject(self) -> dict[str, Commit]:
        """Return the newest statement about each commit, by its subject."""
        return {commit.subject: commit for commit in self.commits().values()}

    def refs(self) -> dict[str, list[RefObserved]]:
        """Return what was seen of each ref, in order."""
        seen: dict[str, list[RefObserved]] = {}
        for fact in self.facts():
            if isinstance(fact, RefObserved):
                seen.setdefault(fact.ref, []).append(fact)
        return seen

    def landed(self) -> dict[int, list[tuple[str, str | None]]]:
        """Return the branch and the method of each landing of each request."""
        landed: dict[int, list[tuple[str, str | None]]] = {}
        for fact in self.facts():
            if isinstance(fact, PullRequestObserved):
                assert fact.base is not None
                landed.setdefault(fact.number, []).append((fact.base, fact.recognised_by))
        return landed
