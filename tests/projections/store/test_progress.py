"""When did everybody who feeds a partition last stand at the end of the log?"""

import pytest
from sqlalchemy import Connection, Engine, text

from projections.engine import generations
from projections.store import progress as reading
from projections.store.schema import readers, versions
from tests.engines import NewEngine

NAMES = ("pull_requests", "repositories")


@pytest.fixture
def engine(new_engine: NewEngine) -> Engine:
    return new_engine()


def asked(connection: Connection, partition: str = "3") -> int:
    return reading.caught_up_at(connection, NAMES, [partition])[partition]


def test_it_is_the_earliest_of_all_projections_in_that_partition(engine: Engine) -> None:
    with engine.begin() as connection:
        assert asked(connection) == 0
        reading.mark_partitions(connection, "pull_requests", ["3", "4"], 500)
        assert asked(connection) == 0, "the other projection has never been there"
        reading.mark_partitions(connection, "repositories", ["3"], 400)
        assert [asked(connection, name) for name in ("3", "4", "5")] == [400, 0, 0]
        reading.mark_partitions(connection, "repositories", ["4", "3"], 600)
        assert [asked(connection, name) for name in ("3", "4", "5")] == [500, 500, 0]


def test_an_earlier_moment_that_is_told_later_changes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        for at in (500, 300):
            for name in NAMES:
                reading.mark_partitions(connection, name, ["3"], at)
        assert asked(connection) == 500
        reading.mark_partitions(connection, "pull_requests", [], 900)
        assert asked(connection) == 500


def test_a_runner_of_everything_speaks_for_every_partition(engine: Engine) -> None:
    with engine.begin() as connection:
        reading.mark_all(connection, reading.LIVE, 700)
        reading.mark_all(connection, "rebuild pull_requests", 900)
        assert [asked(connection, name) for name in ("3", "github.com/1")] == [700, 700]
        for name in NAMES:
            reading.mark_partitions(connection, name, ["3"], 800)
        assert [asked(connection, name) for name in ("3", "github.com/1")] == [800, 700]


def test_a_table_without_partitions_is_made_anew(engine: Engine) -> None:
    """It holds nothing that the next look of a reader does not tell again."""
    with engine.begin() as connection:
        readers.drop(connection)
        connection.execute(text("CREATE TABLE reader (name TEXT PRIMARY KEY, caught_up_at BIGINT)"))
        connection.execute(versions.delete())
    generations.prepare(engine)
    with engine.begin() as connection:
        reading.mark_all(connection, reading.LIVE, 700)
        assert asked(connection) == 700
