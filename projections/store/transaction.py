"""A transaction on the read model in which the database's own troubles are passing faults."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from events.errors import TransientError


@contextmanager
def passing_faults() -> Iterator[None]:
    """Raise TransientError where the database is away, busy or going down."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise TransientError(f"the read model is away: {error.orig}") from error
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        raise TransientError(f"the read model is away: {error.orig}") from error


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Give a connection; commit at the end, undo everything on an error.

    After a TransientError nothing was half-written; where the answer to the commit itself was lost,
    the checkpoint tells whether it was done.
    """
    with passing_faults(), engine.begin() as connection:
        yield connection
