"""Real Kafka, PostgreSQL and Prometheus for tests: one of each a session, started when asked for.

With SHIPLEDGER_TEST_PARTS (a folder that `deploy/local/services.py start` printed) the parts in
that folder are used and left running. A part that this machine lacks skips the test, and fails it
where SHIPLEDGER_REQUIRE_PARTS=1, as in CI.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest

from deploy.local.kafka_part import KafkaPart, quick_start
from deploy.local.postgres_part import DATABASE, ROLE, VOLATILE, PostgresPart
from deploy.local.prometheus_part import PrometheusPart

AnyPart = TypeVar("AnyPart", KafkaPart, PostgresPart, PrometheusPart)


@pytest.fixture(scope="session")
def parts_folder() -> Iterator[Path]:
    """The folder of all parts; its own one is removed at the end."""
    given = os.environ.get("SHIPLEDGER_TEST_PARTS")
    if given:
        yield Path(given)
        return
    folder = Path(tempfile.mkdtemp(prefix="shipledger-parts-"))
    folder.chmod(0o711)  # PostgreSQL runs as another user
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def kafka_java() -> Sequence[str]:
    """Options of the broker's Java: tests start and stop it more often than they load it."""
    return () if KafkaPart.missing() else quick_start()


@pytest.fixture(scope="session")
def kafka_part(parts_folder: Path, kafka_java: Sequence[str]) -> Iterator[KafkaPart]:
    """The broker itself, to stop, kill, pause and restart; a test leaves it as it was."""
    folder = parts_folder / KafkaPart.name
    yield from _started(KafkaPart(folder, owned=_owned(), java=kafka_java))


@pytest.fixture
def kafka_bootstrap(kafka_part: KafkaPart) -> str:
    """`host:port` of the broker."""
    kafka_part.start()
    return kafka_part.address


@pytest.fixture(scope="session")
def postgres_settings() -> str:
    """What is added to the server's configuration: nothing of a test has to outlive the machine."""
    return VOLATILE


@pytest.fixture(scope="session")
def postgres_part(parts_folder: Path, postgres_settings: str) -> Iterator[PostgresPart]:
    """The PostgreSQL server itself, to stop, kill and restart; a test leaves it as it was."""
    folder = parts_folder / PostgresPart.name
    yield from _started(PostgresPart(folder, owned=_owned(), settings=postgres_settings))


@pytest.fixture
def postgres_url(postgres_part: PostgresPart) -> Iterator[str]:
    """The SQLAlchemy address of an empty database, dropped after the test."""
    with empty_database(postgres_part) as url:
        yield url


@contextmanager
def empty_database(server: PostgresPart) -> Iterator[str]:
    """Make a database and drop it afterwards; yield its SQLAlchemy address."""
    name = new_database(server)
    yield server.url_of(name)
    drop_database(server, name)


def new_database(server: PostgresPart, template: str = "template1") -> str:
    """Make a database, empty or a copy of another one that nobody uses; return its name."""
    name = f"t_{uuid.uuid4().hex[:12]}"
    # Copied as files: through the write-ahead log, PostgreSQL's default, it takes ten times as long
    administer(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return name


def drop_database(server: PostgresPart, name: str) -> None:
    """Drop a database, whoever uses it."""
    administer(server, f"DROP DATABASE {name} WITH (FORCE)")


def administer(server: PostgresPart, *statements: str) -> None:
    """Execute statements outside of any transaction; start the server if it does not run."""
    server.start()
    address = f"host=127.0.0.1 port={server.port} user={ROLE} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.fixture(scope="session")
def prometheus(parts_folder: Path) -> Iterator[PrometheusPart]:
    """A Prometheus server; `prometheus.scrape(job, address)` gives it something to do."""
    yield from _started(PrometheusPart(parts_folder / PrometheusPart.name, owned=_owned()))


def _owned() -> bool:
    """Tell whether the parts are ours, and end with us."""
    return "SHIPLEDGER_TEST_PARTS" not in os.environ


def _started(part: AnyPart) -> Iterator[AnyPart]:
    missing = part.missing()
    if missing and os.environ.get("SHIPLEDGER_REQUIRE_PARTS") == "1":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)
    part.start()
    yield part
    part.resume()
    if _owned():
        part.stop()
