"""Mirrors that really run: with threads, a log on the disk and the clock of the wall."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry

from events.log.port import START
from services.intake.mirror import Mirror, Target
from services.logs.sqlite import SqliteLog
from services.runtime.clock import wall_clock
from services.runtime.telemetry import Metrics
from tests.services.intake.git.sandbox import REPOSITORY

OTHER = "github.com/1002"
LONG = 3600.0


class Running:
    """Mirrors with a log on the disk and the clock of the wall."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = SqliteLog(folder / "log.sqlite", clock=wall_clock)
        self.metrics = Metrics(CollectorRegistry())

    def mirror(self, *targets: Target) -> Mirror:
        return Mirror(
            self.folder / "mirror",
            targets,
            log=self.log,
            clock=wall_clock,
            metrics=self.metrics,
        )

    @contextmanager
    def started(self, *targets: Target) -> Iterator[Mirror]:
        mirror = self.mirror(*targets)
        mirror.start(on_fault=lambda: None)
        try:
            yield mirror
        finally:
            assert mirror.stop()

    def bodies(self, repository: str = REPOSITORY) -> bytes:
        entries = self.log.read(repository, START) if repository in self.log.ends() else []
        return b"".join(entry.record.body for entry in entries)

    def fetches(self, name: str = "acme/tool") -> float:
        samples = [
            sample
            for family in self.metrics.registry.collect()
            for sample in family.samples
            if sample.name == "shipledger_mirror_fetches_total"
        ]
        return sum(each.value for each in samples if each.labels["repository"] == name)


def until(seen: Callable[[], object], *, seconds: float = 20.0) -> None:
    """Wait until something holds; fail where it does not come to hold."""
    deadline = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Tell whether a process runs (one that ended and was not waited for does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
