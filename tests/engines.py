"""Read models for tests, on SQLite in memory and on a real PostgreSQL.

`new_engine()` gives an empty one as often as it is called; in PostgreSQL each is a schema of the
test's own database. A test that asks for it runs once on each engine.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import pytest
from sqlalchemy import URL, Engine, create_engine, make_url, text

from projections.engine import generations
from services.stream.engines import reading_engine, writing_engine
from tests.real_parts import empty_database
from tests.worlds import memory_engine

NewEngine: TypeAlias = Callable[[], Engine]
ENGINES = ("sqlite", "postgresql")


class PostgresModels:
    """Makes read models side by side in one database, whose zone is not UTC."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._made = 0
        self._open = ExitStack()
        with self._administrator().connect() as connection:
            connection.execute(
                text(f"ALTER DATABASE {self._url.database} SET TimeZone = 'Europe/Berlin'")
            )

    def new(self) -> Engine:
        """Return an engine that writes to an empty read model."""
        self._made += 1
        with self._administrator().connect() as connection:
            connection.execute(text(f"CREATE SCHEMA model{self._made}"))
        engine = writing_engine(self.url)
        self._open.callback(engine.dispose)
        generations.prepare(engine)
        return engine

    @property
    def url(self) -> str:
        """The address of the read model that was made last."""
        return self._of(self._made).render_as_string(hide_password=False)

    def reading(self) -> Engine:
        """Return an engine that reads the read model that was made last."""
        engine = reading_engine(self.url)
        self._open.callback(engine.dispose)
        return engine

    def close(self) -> None:
        """Close every connection."""
        self._open.close()

    def _of(self, nth: int) -> URL:
        return self._url.set(query={"options": f"-c search_path=model{nth}"})

    def _administrator(self) -> Engine:
        engine = create_engine(self._url, isolation_level="AUTOCOMMIT")
        self._open.callback(engine.dispose)
        return engine


@pytest.fixture
def postgres_models(postgres_url: str) -> Iterator[PostgresModels]:
    """Read models on PostgreSQL."""
    models = PostgresModels(postgres_url)
    yield models
    models.close()


@pytest.fixture(params=ENGINES)
def new_engine(request: pytest.FixtureRequest) -> NewEngine:
    """A maker of empty read models, on each engine in turn."""
    if request.param == "sqlite":
        return memory_engine
    models: PostgresModels = request.getfixturevalue("postgres_models")
    return models.new


@pytest.fixture(scope="module", params=ENGINES)
def lasting_engine(request: pytest.FixtureRequest) -> Iterator[NewEngine]:
    """A maker of empty read models that last for all tests of a module, which only ask them."""
    if request.param == "sqlite":
        yield memory_engine
        return
    with empty_database(request.getfixturevalue("postgres_part")) as url:
        models = PostgresModels(url)
        yield models.new
        models.close()
