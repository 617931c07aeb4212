"""Column types and the control tables that all projections share.

Row tables belong to one *generation* of one projection and carry its number in their name, so a
rebuild fills new tables beside the old ones and the switch is one row in `projection_generation`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    literal,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql.elements import BindParameter
from sqlalchemy.types import TypeEngine

from events.instant import INF, Instant, from_datetime, to_datetime

#: A short text, compared and sorted by its bytes on every engine, whatever a database was made
#: with; long texts without order are `Text`.
Name = String().with_variant(postgresql.VARCHAR(collation="C"), "postgresql")


class InstantColumn(TypeDecorator[Instant]):
    """An instant: integer microseconds in SQLite, timestamptz in PostgreSQL, an int in Python."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the engine."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.TIMESTAMP(timezone=True))
        return dialect.type_descriptor(BigInteger())

    def process_bind_param(self, value: Instant | None, dialect: Dialect) -> Any:
        """Hand an instant to the driver."""
        if value is None or dialect.name != "postgresql":
            return value
        return to_datetime(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Leave alone what is an integer already: rows are many."""
        if dialect.name != "postgresql":
            return None
        return super().result_processor(dialect, coltype)

    def process_result_value(self, value: Any, dialect: Dialect) -> Instant | None:  # noqa: ARG002
        """Take an instant from the driver."""
        if isinstance(value, datetime):
            return from_datetime(value)
        return None if value is None else int(value)


def constant(value: str | Instant) -> BindParameter[Any]:
    """Return a value that is written into the statement and not sent as a parameter.

    Planners use a partial index only where the statement itself shows that its condition holds.
    """
    return literal(value, InstantColumn() if isinstance(value, int) else Name, literal_execute=True)


def endless() -> BindParameter[Any]:
    """Return INF as such a constant."""
    return constant(INF)


control = MetaData()

versions = Table(
    "schema_version", control, Column("version", Integer, primary_key=True, autoincrement=False)
)

generations = Table(
    "projection_generation",
    control,
    Column("projection", Name, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("fold_version", Integer, nullable=False),
    Column("status", Name, nullable=False, comment="building | active | retired | dropped"),
    PrimaryKeyConstraint("projection", "generation"),
)

checkpoints = Table(
    "checkpoint",
    control,
    Column("projection", Name, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("partition", Name, nullable=False),
    Column("next_position", BigInteger, nullable=False),
    Column("last_recorded", InstantColumn, nullable=False),
    PrimaryKeyConstraint("projection", "generation", "partition"),
)

dead_letters = Table(
    "dead_letter",
    control,
    Column("projection", Name, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("partition", Name, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("record_id", Name, nullable=False),
    Column("repo", Name, nullable=False),
    Column("recorded_at", InstantColumn, nullable=False),
    Column("stage", Name, nullable=False, comment="translate | fold"),
    Column("reason", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column(
        "numbers", Text, nullable=False, comment="JSON list of the requests it touches, if known"
    ),
    PrimaryKeyConstraint("projection", "generation", "partition", "position"),
)

readers = Table(
    "reader",
    control,
    Column("name", Name, nullable=False, comment="a runner, or the projection of a worker"),
    Column("partition", Name, nullable=False, comment="empty: all partitions"),
    Column("caught_up_at", InstantColumn, nullable=False),
    PrimaryKeyConstraint("name", "partition"),
)
