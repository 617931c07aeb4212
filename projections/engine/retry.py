"""Giving dead letters another try, once the translator or the fold has been mended.

Each letter has a transaction of its own: one that fails takes nothing from the others, and whatever
becomes of it is told. Trying again, also beside another process that does the same, changes nothing
that has been mended.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, Row, delete, select
from sqlalchemy.exc import SQLAlchemyError

from events.errors import BrokenLog, InvalidEvent, NotFound, ShipledgerError, TransientError
from events.log.port import Cursor, Log
from projections.engine import generations
from projections.store.base import Projection, Translated, read_entry
from projections.store.checkpoint import lock_cursor
from projections.store.schema import dead_letters
from projections.store.transaction import transaction

_KEY: Final = ("projection", "generation", "partition", "position")


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one dead letter: `reason` is None where it was understood this time.

    A record that is stored twice has two letters, one for each position in its partition.
    """

    projection: str
    partition: str
    position: int
    record_id: str
    reason: str | None


class _Letter(msgspec.Struct, frozen=True):
    """One dead letter of a generation in service."""

    projection: Projection
    row: Row[tuple[object, ...]]

    def told(self, reason: str | None) -> Retried:
        """Say what became of it."""
        return Retried(
            projection=self.projection.name,
            partition=self.row.partition,
            position=self.row.position,
            record_id=self.row.record_id,
            reason=reason,
        )

    @property
    def key(self) -> list[ColumnElement[bool]]:
        """The conditions that find it."""
        return [dead_letters.c[column] == getattr(self.row, column) for column in _KEY]


def retry(engine: Engine, log: Log, record_ids: Iterable[str] = ()) -> list[Retried]:
    """Fold dead letters (all, or the named records) as if they had been understood at their time.

    Raise NotFound, before anything is tried, for a record that is not among them.
    """
    wanted = set(record_ids)
    with transaction(engine) as connection:
        letters = [
            letter
            for projection in generations.active(connection)
            for letter in _letters(connection, projection)
            if not wanted or letter.row.record_id in wanted
        ]
    missing = wanted - {letter.row.record_id for letter in letters}
    if missing:
        raise NotFound(f"not among the dead letters: {', '.join(sorted(missing))}")
    results: list[Retried] = []
    away: TransientError | None = None
    for letter in letters:
        if away is not None:
            results.append(letter.told(f"not tried: {away}"))
            continue
        try:
            results.append(letter.told(_retry(engine, log, letter)))
        except TransientError as error:
            away = error
            results.append(letter.told(str(error)))
    return results


def _letters(connection: Connection, projection: Projection) -> list[_Letter]:
    query = select(dead_letters).where(
        dead_letters.c.projection == projection.name,
        dead_letters.c.generation == projection.generation,
    )
    rows = connection.execute(query.order_by(dead_letters.c.partition, dead_letters.c.position))
    return [_Letter(projection, row) for row in rows]


def _retry(engine: Engine, log: Log, letter: _Letter) -> str | None:
    """Try one letter; return why it stays, None where it is gone.

    Raise TransientError where the log or the read model is away.
    """
    try:
        with transaction(engine) as connection:
            return _fold(connection, log, letter)
    except TransientError:
        raise
    except InvalidEvent as error:
        return error.reason
    except (ShipledgerError, SQLAlchemyError) as error:
        return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def _fold(connection: Connection, log: Log, letter: _Letter) -> str | None:
    projection, row = letter.projection, letter.row
    # one partition has one writer: the checkpoint row is held while its history is mended
    lock_cursor(connection, projection, row.partition)
    if not generations.serves(connection, projection):
        return "a rebuild has taken over meanwhile; see `shipledger deadletters list`"
    if connection.execute(select(dead_letters.c.position).where(*letter.key)).first() is None:
        return None  # another process was faster
    translated = _read(log, row)
    if translated.poison is not None:
        raise translated.poison
    projection.refold(connection, translated)
    connection.execute(delete(dead_letters).where(*letter.key))
    return None


def _read(log: Log, row: Row[tuple[object, ...]]) -> Translated:
    # the stamp was derived once and stored with the letter; it is the record's K for good
    entries = log.read(row.partition, Cursor(row.position, row.recorded_at - 1), limit=1)
    if not entries:
        raise BrokenLog(f"{row.partition}: the log ends before position {row.position}")
    return msgspec.structs.replace(read_entry(entries[0]), k=row.recorded_at)
