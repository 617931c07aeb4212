"""The role that the API and Grafana ask as, made by the real script on the real server."""

import os
import re
import subprocess
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, create_engine, make_url, text
from sqlalchemy.exc import DBAPIError

from deploy.local.postgres_part import program
from projections.engine import generations
from projections.engine.read_model import ReadModel
from projections.engine.rebuild import rebuild
from services.answers.reports.repositories import list_repositories
from services.simulator import simulate
from services.stream.engines import reading_engine, writing_engine
from tests.deploy.compose import DEPLOY
from tests.worlds import project, world_log


@pytest.fixture
def reader(postgres_url: str) -> Iterator[str]:
    """The address of an empty database as the reader has it; the role is dropped afterwards."""
    url = make_url(postgres_url)
    administrator = create_engine(url, isolation_level="AUTOCOMMIT")
    with administrator.connect() as connection:
        exists = text("SELECT 1 FROM pg_roles WHERE rolname = 'shipledger_reader'")
        if connection.scalar(exists):
            pytest.skip("the role exists on this server already")
    script = DEPLOY / "postgres" / "init" / "10-reader.sh"
    environment = {
        "PATH": f"{os.path.dirname(program('psql'))}:{os.environ['PATH']}",
        "PGHOST": str(url.host),
        "PGPORT": str(url.port),
        "POSTGRES_USER": str(url.username),
        "POSTGRES_DB": str(url.database),
        "SHIPLEDGER_READER_PASSWORD": 'it\'s "secret"',
    }
    subprocess.run(["sh", str(script)], env=environment, check=True, capture_output=True)
    yield url.set(username="shipledger_reader").render_as_string(hide_password=False)
    with administrator.connect() as connection:
        connection.execute(text("DROP OWNED BY shipledger_reader"))
        connection.execute(text("DROP ROLE shipledger_reader"))
    administrator.dispose()


def test_the_reader_may_ask_everything_and_change_nothing(reader: str, postgres_url: str) -> None:
    writing, reading = writing_engine(postgres_url), reading_engine(reader)
    try:
        generations.prepare(writing)
        log = world_log(simulate(3, pulls=10, days=20))
        project(log, engine=writing)
        _ask(reading)
        assert rebuild(writing, log, "pull_requests", lambda: 0).switched
        _ask(reading)
        with reading.connect() as connection, pytest.raises(DBAPIError, match="read-only"):
            connection.execute(text("DELETE FROM checkpoint"))
        with reading.connect() as connection:
            connection.execute(text("SET TRANSACTION READ WRITE"))
            with pytest.raises(DBAPIError, match="must be owner"):
                connection.execute(text("DROP TABLE checkpoint"))
    finally:
        reading.dispose()
        writing.dispose()


def _ask(reading: Engine) -> None:
    with ReadModel(reading).snapshot() as snapshot:
        assert [one.full_name for one in list_repositories(snapshot)] == ["acme/widget"]
        connection = snapshot.connection
        assert connection.scalar(text("SELECT count(*) FROM shipledger_openings"))
        asked = (
            "SELECT merged FROM shipledger_period_counts('acme/widget', '2026-01-01', '2027-01-01')"
        )
        assert connection.scalar(text(asked))


def test_every_setting_of_the_server_exists_and_its_value_is_taken(postgres_url: str) -> None:
    conf = (DEPLOY / "postgres" / "postgresql.conf").read_text("utf-8")
    given = dict(re.findall(r"^(\w+) = (.+)$", conf, re.MULTILINE))
    assert len(given) > 10
    engine = create_engine(postgres_url)
    with engine.connect() as connection:
        known = set(connection.scalars(text("SELECT lower(name) FROM pg_settings")))
    engine.dispose()
    assert set(given) <= known
    for name, value in given.items():
        asked = [program("postgres"), "-C", name, "-c", f"{name}={value.strip(chr(39))}"]
        if os.geteuid() != 0:  # PostgreSQL refuses to run as root, even to answer this
            subprocess.run(asked, check=True, capture_output=True)
