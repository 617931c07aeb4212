"""Workers on the real broker and the real PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from services.logs.kafka import KafkaLog
from tests.production import Process, Site, worker

NewSite: TypeAlias = Callable[..., Site]
StartWorker: TypeAlias = Callable[..., Process]


@pytest.fixture
def new_site(kafka_bootstrap: str, postgres_url: str, tmp_path: Path) -> NewSite:
    """Make the site of a test, with any number of partitions."""

    def make(*, partitions: int = 1) -> Site:
        return Site.new(kafka_bootstrap, postgres_url, tmp_path, partitions=partitions)

    return make


@pytest.fixture
def site(new_site: NewSite) -> Site:
    """A topic with one partition, and a database."""
    return new_site()


@pytest.fixture
def log(site: Site) -> Iterator[KafkaLog]:
    """The log of the site."""
    log = KafkaLog(site.kafka)
    log.prepare()
    yield log
    log.close()


@pytest.fixture
def start_worker() -> Iterator[StartWorker]:
    """Start workers; those that live at the end are killed."""
    started: list[Process] = []

    def start(site: Site, name: str = "worker", **given: object) -> Process:
        started.append(worker(site, name, **given))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for process in started:
        if process.running:
            process.kill()
