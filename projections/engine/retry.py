"""Giving dead letters another try, once the translator or the fold has been mended."""

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, Engine, Row, delete, select

from events.errors import InvalidEvent, NotFound
from events.log.port import Cursor, Log
from projections.engine import generations
from projections.store.base import Projection, read_entry
from projections.store.schema import checkpoints, dead_letters


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one dead letter: `reason` is None where it was understood this time."""

    projection: str
    record_id: str
    reason: str | None


def retry(engine: Engine, log: Log, record_ids: Iterable[str] = ()) -> list[Retried]:
    """Fold dead letters (all, or the named records) as if they had been understood at their time.

    Raise NotFound for a record that is not among them.
    """
    wanted = set(record_ids)
    with engine.begin() as connection:
        results = [
            _retry(connection, log, projection, row)
            for projection in generations.active(connection)
            for row in _letters(connection, projection)
            if not wanted or row.record_id in wanted
        ]
    missing = wanted - {result.record_id for result in results}
    if missing:
        raise NotFound(f"not among the dead letters: {', '.join(sorted(missing))}")
    return results


def _letters(connection: Connection, projection: Projection) -> list[Row[tuple[object, ...]]]:
    query = select(dead_letters).where(
        dead_letters.c.projection == projection.name,
        dead_letters.c.generation == projection.generation,
    )
    return list(
        connection.execute(query.order_by(dead_letters.c.partition, dead_letters.c.position))
    )


def _retry(
    connection: Connection, log: Log, projection: Projection, row: Row[tuple[object, ...]]
) -> Retried:
    # one partition has one writer: the checkpoint row is held while its history is mended
    mine = (
        (checkpoints.c.projection == projection.name)
        & (checkpoints.c.generation == projection.generation)
        & (checkpoints.c.partition == row.partition)
    )
    connection.execute(select(checkpoints.c.next_position).where(mine).with_for_update())
    # the stamp was derived once and stored with the letter; it is the record's K for good
    entry = log.read(row.partition, Cursor(row.position, row.recorded_at - 1), limit=1)[0]
    translated = msgspec.structs.replace(read_entry(entry), k=row.recorded_at)
    try:
        if translated.poison is not None:
            raise translated.poison
        with connection.begin_nested():
            projection.refold(connection, translated)
    except InvalidEvent as error:
        return Retried(projection=projection.name, record_id=row.record_id, reason=error.reason)
    key = [
        dead_letters.c[column] == getattr(row, column)
        for column in ("projection", "generation", "partition", "position")
    ]
    connection.execute(delete(dead_letters).where(*key))
    return Retried(projection=projection.name, record_id=row.record_id, reason=None)
