"""The checkpoint: where a projection stands, in one transaction with its rows and dead letters."""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection, insert, select, update

from events.errors import BrokenLog
from events.log.port import START, Cursor
from projections.store.base import Poisoned, Projection, Translated
from projections.store.dialects import insert_absent
from projections.store.schema import checkpoints, dead_letters


def lock_cursor(connection: Connection, projection: Projection, partition: str) -> Cursor:
    """Return where a projection stands in a partition, and hold its row until the commit."""
    mine = (
        (checkpoints.c.projection == projection.name)
        & (checkpoints.c.generation == projection.generation)
        & (checkpoints.c.partition == partition)
    )
    query = select(checkpoints.c.next_position, checkpoints.c.last_recorded).where(mine)
    row = connection.execute(query.with_for_update()).one_or_none()
    if row is None:
        # another process may be making the row at this moment; then it is waited for
        first = {
            "projection": projection.name,
            "generation": projection.generation,
            "partition": partition,
            "next_position": START.position,
            "last_recorded": START.recorded_at,
        }
        connection.execute(insert_absent(connection, checkpoints), first)
        row = connection.execute(query.with_for_update()).one()
    return Cursor(*row)


def apply_batch(
    connection: Connection,
    projection: Projection,
    partition: str,
    cursor: Cursor,
    batch: Sequence[Translated],
) -> tuple[list[Poisoned], Cursor]:
    """Fold what lies at or after the cursor, set poison aside, move the checkpoint.

    Redelivered positions are dropped; a hole before the first one is an error, never a skip.
    """
    batch = [entry for entry in batch if entry.position >= cursor.position]
    if not batch:
        return [], cursor
    if batch[0].position > cursor.position:
        raise BrokenLog(
            f"{partition}: records {cursor.position} to {batch[0].position - 1} are missing from "
            f"the log; restore them, or rebuild {projection.name} and accept the gap"
        )
    poisoned = [_untranslated(entry) for entry in batch if entry.poison is not None]
    poisoned += projection.apply(connection, [entry for entry in batch if entry.poison is None])
    set_aside(connection, projection, poisoned)
    last = batch[-1]
    moved = Cursor(last.position + 1, last.k)
    connection.execute(
        update(checkpoints)
        .where(
            checkpoints.c.projection == projection.name,
            checkpoints.c.generation == projection.generation,
            checkpoints.c.partition == partition,
        )
        .values(next_position=moved.position, last_recorded=moved.recorded_at)
    )
    return poisoned, moved


def _untranslated(entry: Translated) -> Poisoned:
    assert entry.poison is not None
    reason, path = entry.poison.reason, entry.poison.path
    return Poisoned(entry=entry, stage="translate", reason=reason, path=path)


def set_aside(connection: Connection, projection: Projection, poisoned: Iterable[Poisoned]) -> None:
    """Write dead letters, in the caller's transaction."""
    rows = [
        {
            "projection": projection.name,
            "generation": projection.generation,
            "partition": poison.entry.partition,
            "position": poison.entry.position,
            "record_id": poison.entry.record_id,
            "repo": poison.entry.repo,
            "recorded_at": poison.entry.k,
            "stage": poison.stage,
            "reason": poison.reason,
            "path": poison.path,
            "numbers": msgspec.json.encode(poison.numbers).decode(),
        }
        for poison in poisoned
    ]
    if rows:
        connection.execute(insert(dead_letters), rows)
