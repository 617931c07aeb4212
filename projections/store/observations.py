"""What projections keep of facts as they were stated: how the tables are declared, and their rows.

Each row of an observation names its repository, the record that states it, its place `idx` among
what the record states, and K, since when it is known. No row is ever changed, and the key of
(repo, record_id, idx) refuses the same record at a second position of the log.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    select,
)

from events.facts.base import Fact
from events.identity import RepositoryKey
from projections.store.base import Translated
from projections.store.dialects import chunks, insert_absent, insert_many
from projections.store.schema import InstantColumn, Name

Columns: TypeAlias = Sequence[Column[Any]]
Row: TypeAlias = dict[str, Any]
F = TypeVar("F", bound=Fact)

KEPT: Final = "kept"
"""In the `info` of tables that no rebuild compares."""
_RECORD: Final = ("repo", "record_id", "idx")


class GenerationTables:
    """The tables of one generation of one projection; `metadata` creates and drops them together.

    Names of tables and indexes end with the generation, and each table begins with `repo`.
    """

    def __init__(self, generation: int) -> None:
        self.metadata = MetaData()
        self._suffix = f"_g{generation}"

    def by_record(
        self, name: str, *own: Column[Any], about: Columns = (), place: str | None = None
    ) -> Table:
        """Declare observations that are found by the record, or by an index on what is `about`."""
        record = (_name("record_id"), _idx(place))
        return self.table(name, *record, *about, _instant("k"), *own, key=_RECORD)

    def by_subject(self, name: str, subject: Columns, *own: Column[Any]) -> Table:
        """Declare observations that are found by their subject, in the order of K."""
        observed = (_instant("k"), _idx(), _name("record_id"))
        key = ("repo", *(column.name for column in subject), "k", "idx")
        return self.table(name, *subject, *observed, *own, UniqueConstraint(*_RECORD), key=key)

    def on_two_clocks(
        self, name: str, subject: Column[Any], *own: Column[Any], apart: Sequence[str] = ()
    ) -> Table:
        """Declare rows that hold for a subject in valid [vf, vt), and are known in [kf, kt).

        `apart` are the columns by which two rows may begin together on both clocks.
        """
        clocks = (_instant(clock) for clock in ("kf", "kt", "vf", "vt"))
        key = ("repo", subject.name, "kf", "vf", *apart)
        return self.table(name, subject, *clocks, *own, key=key)

    def each_once(self, name: str, comment: str) -> Table:
        """Declare a table that keeps each text once, however often it is shown."""
        digest = Column("digest", Name, nullable=False, comment=comment)
        text = Column("text", Text, nullable=False)
        return self.table(name, digest, text, key=("repo", "digest"))

    def table(
        self,
        name: str,
        *items: Column[Any] | UniqueConstraint,
        key: Sequence[str],
        key_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> Table:
        """Declare any other table, by the columns beside `repo` and by its primary key."""
        primary = PrimaryKeyConstraint(*key, **(key_options or {}))
        full_name = name + self._suffix
        return Table(full_name, self.metadata, _name("repo"), *items, primary, **options)

    def kept_table(self, name: str, *own: Column[Any]) -> Table:
        """Declare a table of what was computed from other rows, and is looked up by a `version`.

        It may be emptied at any time, so a rebuild does not ask whether it is the same.
        """
        version = Column("version", Name, nullable=False, comment="digest of what it is made from")
        return self.table(name, version, *own, key=("repo", "version"), info={KEPT: True})

    def index(self, name: str, table: Table, *columns: str) -> None:
        """Declare an index on columns of a table."""
        Index(name + self._suffix, *(table.c[column] for column in columns))


def fields(comment: str = "the fact, JSON") -> Column[str]:
    """Return the column that holds all that a fact says."""
    return Column("fields", Text, nullable=False, comment=comment)


def encoded(value: msgspec.Struct) -> str:
    """Return a value as the text of such a column."""
    return msgspec.json.encode(value).decode()


def rows_of(
    batch: Iterable[Translated], row_of: Callable[[Translated, Fact], Row | None]
) -> list[Row]:
    """Return the rows of facts; `row_of` gives the columns of its own, None where it keeps none."""
    return [
        {"repo": entry.repo, "record_id": entry.record_id, "idx": idx, "k": entry.k, **row}
        for entry in batch
        for idx, fact in enumerate(entry.facts)
        if (row := row_of(entry, fact)) is not None
    ]


def rows_of_kind(batch: Iterable[Translated], kind: type[F], own: Callable[[F], Row]) -> list[Row]:
    """Return the rows of the facts of one type, each with its `fields`."""

    def row_of(_: Translated, fact: Fact) -> Row | None:
        return {**own(fact), "fields": encoded(fact)} if isinstance(fact, kind) else None

    return rows_of(batch, row_of)


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows, if there are any."""
    if rows:
        insert_many(connection, table, rows)


def write_texts(
    connection: Connection, table: Table, texts: Mapping[tuple[RepositoryKey, str], str]
) -> None:
    """Store texts, by repository and digest; those that are there stay."""
    rows = [
        {"repo": repo, "digest": digest, "text": text}
        for (repo, digest), text in sorted(texts.items())
    ]
    if rows:
        connection.execute(insert_absent(connection, table), rows)


def read_texts(
    connection: Connection, table: Table, repo: RepositoryKey, digests: Iterable[str]
) -> dict[str, str]:
    """Return stored texts by their digests."""
    texts: dict[str, str] = {}
    for chunk in chunks(sorted(set(digests))):
        query = select(table.c.digest, table.c.text).where(
            table.c.repo == repo, table.c.digest.in_(chunk)
        )
        texts |= {row.digest: row.text for row in connection.execute(query)}
    return texts


def _name(column: str) -> Column[str]:
    return Column(column, Name, nullable=False)


def _instant(column: str) -> Column[int]:
    return Column(column, InstantColumn, nullable=False)


def _idx(comment: str | None = None) -> Column[int]:
    return Column("idx", Integer, nullable=False, comment=comment)
