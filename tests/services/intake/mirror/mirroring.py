"""A real remote, a log, and a mirror between them; time moves when a test says so."""

import os
import stat
import subprocess
import threading
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from events.facts.git import RefObserved
from events.instant import SECOND, Instant
from events.record import Record
from services.config.mirror import BRANCHES_AND_TAGS
from services.config.remotes import parse_remote
from services.intake.mirror import Fetched, Target
from services.intake.mirror.worker import Worker
from services.runtime.telemetry import Metrics
from tests.builders import repository, webhook
from tests.services.intake.git.sandbox import REPOSITORY, Imports, Sandbox

HOUR = 3600 * SECOND
ZERO = "0" * 40


def target(remote: Path | str, **fields: Any) -> Target:
    """Return what to mirror: `acme/tool`, unless the fields say otherwise."""
    defaults: dict[str, Any] = {
        "repository": REPOSITORY,
        "full_name": "acme/tool",
        "remote": parse_remote(str(remote)),
        "refs": BRANCHES_AND_TAGS,
        "interval": 300.0,
        "time_limit": 60.0,
        "partition": fields.get("repository", REPOSITORY),
    }
    return Target(**{**defaults, **fields})


class Mirroring:
    """A mirror of `origin`; each fetch happens an hour after the one before."""

    def __init__(self, origin: Sandbox, folder: Path) -> None:
        self.origin = origin
        self.folder = folder
        self.seen = Imports()
        self.metrics = Metrics(CollectorRegistry())
        self.stopping = threading.Event()
        self.restart()

    def restart(self, **fields: Any) -> None:
        """Begin a new process, as it were: only the folder and the log are left."""
        self.worker = self.worker_of(target(self.origin.path, **fields))

    def worker_of(self, what: Target) -> Worker:
        """Return a worker with this log and folder."""
        return Worker(
            what,
            self.folder,
            log=self.seen.log,
            clock=lambda: self.seen.now,
            metrics=self.metrics,
            stopping=self.stopping,
        )

    @property
    def clone(self) -> Path:
        """Where the clone is."""
        return self.folder / "github.com%2F1001" / "clone.git"

    def fetch(self) -> Fetched:
        """Fetch once, an hour later."""
        self.seen.now += HOUR
        return self.worker.fetch()

    def refs(self, name: str) -> list[RefObserved]:
        """Return what was seen of a ref, in order."""
        return self.seen.refs().get(name, [])

    def shas(self, name: str) -> list[str | None]:
        """Return the values that a ref was seen with, in order."""
        return [ref.sha for ref in self.refs(name)]

    def records(self) -> int:
        """Return how many records the log holds."""
        return self.seen.log.ends().get(REPOSITORY, 0)

    def counted(self, outcome: str) -> float:
        """Return how many fetches had an outcome."""
        labels = {"repository": "acme/tool", "outcome": outcome}
        value = self.metrics.registry.get_sample_value("shipledger_mirror_fetches_total", labels)
        return value or 0.0

    def missing_objects(self) -> list[str]:
        """Return the kinds of objects that the clone promises and does not have."""
        asked = ("rev-list", "--objects", "--all", "--missing=print")
        lines = git_in(self.clone, *asked).splitlines()
        missing = [line[1:] for line in lines if line.startswith("?")]
        return [self.origin.git("cat-file", "-t", sha) for sha in missing]


def push_record(
    ref: str, after: str, pushed_at: Instant, *, commit: str | None = None, delivery: str = ""
) -> Record:
    """Return the record of a push delivery; `commit` is that of an annotated tag."""
    deleted = after == ZERO
    body = {
        "ref": ref,
        "before": ZERO,
        "after": after,
        "deleted": deleted,
        "head_commit": None if deleted else {"id": commit or after},
        "repository": repository(pushed_at=pushed_at // SECOND),
    }
    return webhook(delivery or f"push-{ref}-{after}-{pushed_at}", "push", body)


def release_record(tag: str, published_at: str, *, made: str) -> Record:
    """Return the record of a release delivery."""
    shown = {
        "id": 1,
        "tag_name": tag,
        "draft": False,
        "prerelease": False,
        "created_at": made,
        "published_at": published_at,
        "name": tag,
        "target_commitish": "main",
    }
    body = {"action": "published", "release": shown, "repository": repository()}
    return webhook(f"release-{tag}-{published_at}", "release", body)


def git_in(folder: Path, *arguments: str) -> str:
    """Run git in a folder without anyone's configuration and without fetching anything."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=os.environ | {"GIT_NO_LAZY_FETCH": "1", "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


def script(path: Path, text: str) -> Path:
    """Write an executable shell script."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
