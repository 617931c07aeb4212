"""Histories as they were read, kept in the read model until what they are made of changes.

Reading a history of 40,000 commits takes seconds, unpacking one that was read some hundredths.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, select

from projections.release_inclusion.history.attribution import Attribution
from projections.release_inclusion.history.packing import pack, unpack
from projections.release_inclusion.inputs import Inputs
from projections.release_inclusion.tables import ReleaseTables
from projections.store.dialects import insert_absent
from projections.store.snapshot import Snapshot

_KEPT: Final = 3
"""Histories kept of one repository: of now, of before, and of an earlier K that is asked about."""


def kept_history(snapshot: Snapshot, inputs: Inputs) -> Attribution | None:
    """Return the attribution of these inputs if it is kept."""
    table = snapshot.tables(ReleaseTables).kept
    query = select(table.c.data).where(
        table.c.repo == inputs.repo, table.c.version == inputs.digest
    )
    data = snapshot.connection.scalar(query)
    if data is not None:
        with suppress(ValueError):  # of a machine of another kind: it is read anew
            return unpack(data)
    return None


def kept_before(
    snapshot: Snapshot, inputs: Inputs, fits: Callable[[Inputs], bool]
) -> tuple[Inputs, Attribution] | None:
    """Return what is kept of the repository and knows most, but nothing later, if it fits."""
    table = snapshot.tables(ReleaseTables).kept
    earlier = (table.c.repo == inputs.repo, table.c.k <= inputs.known_until)
    query = select(table.c.version, table.c.inputs).where(*earlier).order_by(table.c.k.desc())
    for row in snapshot.connection.execute(query):
        with suppress(ValueError):  # of another machine, or of an older program
            old = msgspec.msgpack.decode(row.inputs, type=Inputs)
            known = kept_history(snapshot, old) if fits(old) else None
            if known is not None:
                return old, known
    return None


def is_kept(snapshot: Snapshot, inputs: Inputs) -> bool:
    """Tell whether the attribution of these inputs is kept."""
    table = snapshot.tables(ReleaseTables).kept
    query = select(table.c.k).where(table.c.repo == inputs.repo, table.c.version == inputs.digest)
    return snapshot.connection.execute(query).first() is not None


def keep_history(
    connection: Connection, tables: ReleaseTables, inputs: Inputs, attribution: Attribution
) -> None:
    """Keep an attribution, and let go of those of the repository that know least."""
    table = tables.kept
    row = {
        "repo": inputs.repo,
        "version": inputs.digest,
        "k": inputs.known_until,
        "inputs": msgspec.msgpack.encode(inputs),
        "data": pack(attribution),
    }
    connection.execute(insert_absent(connection, table), [row])
    mine = table.c.repo == inputs.repo
    newest = select(table.c.version).where(mine).order_by(table.c.k.desc(), table.c.version)
    surplus = list(connection.scalars(newest.offset(_KEPT)))
    if surplus:
        connection.execute(delete(table).where(mine, table.c.version.in_(surplus)))
