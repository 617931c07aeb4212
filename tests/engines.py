"""Read models for tests, on SQLite in memory and on a real PostgreSQL.

`new_engine()` gives an empty one as often as it is called; in PostgreSQL each is a database, copied
from one that was prepared once. A test that asks for it runs once on each engine.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import pytest
from sqlalchemy import Engine

from deploy.local.postgres_part import PostgresPart
from projections.engine import generations
from services.stream.engines import reading_engine, writing_engine
from tests.real_parts import administer, drop_database, new_database
from tests.worlds import memory_engine

NewEngine: TypeAlias = Callable[[], Engine]
ENGINES = ("sqlite", "postgresql")


class PostgresModels:
    """Makes read models side by side, each in a database of its own, whose zone is not UTC."""

    def __init__(self, server: PostgresPart, template: str) -> None:
        self._server = server
        self._template = template
        self._names: list[str] = []
        self._open = ExitStack()

    def new(self) -> Engine:
        """Return an engine that writes to an empty read model."""
        name = new_database(self._server, self._template)
        self._names.append(name)
        administer(self._server, f"ALTER DATABASE {name} SET TimeZone = 'Europe/Berlin'")
        engine = writing_engine(self.url)
        self._open.callback(engine.dispose)
        return engine

    @property
    def url(self) -> str:
        """The address of the read model that was made last."""
        return self._server.url_of(self._names[-1])

    def reading(self) -> Engine:
        """Return an engine that reads the read model that was made last."""
        engine = reading_engine(self.url)
        self._open.callback(engine.dispose)
        return engine

    def close(self) -> None:
        """Close every connection and drop what was made."""
        self._open.close()
        for name in self._names:
            drop_database(self._server, name)


@pytest.fixture(scope="session")
def empty_model(postgres_part: PostgresPart) -> Iterator[str]:
    """The name of a database with an empty read model, which is made once and copied."""
    name = new_database(postgres_part)
    engine = writing_engine(postgres_part.url_of(name))
    generations.prepare(engine)
    engine.dispose()
    yield name
    drop_database(postgres_part, name)


@pytest.fixture
def postgres_models(postgres_part: PostgresPart, empty_model: str) -> Iterator[PostgresModels]:
    """Read models on PostgreSQL."""
    models = PostgresModels(postgres_part, empty_model)
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
    models = PostgresModels(
        request.getfixturevalue("postgres_part"), request.getfixturevalue("empty_model")
    )
    yield models.new
    models.close()
