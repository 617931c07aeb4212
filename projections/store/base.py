"""What a projection is, and what it is handed."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Protocol

import msgspec
from sqlalchemy import Connection, MetaData

from events.errors import InvalidEvent
from events.facts.base import Fact
from events.identity import RepositoryKey
from events.instant import Instant
from events.record import Entry
from events.translate import translate


class Translated(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the log with the facts it states, or the reason why it states none."""

    repo: RepositoryKey
    record_id: str
    source: str
    partition: str
    position: int
    k: Instant
    body: bytes
    facts: tuple[Fact, ...] = ()
    poison: InvalidEvent | None = None


class Poisoned(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that a projection set aside, and what it touches."""

    entry: Translated
    stage: str
    reason: str
    path: str = ""
    numbers: tuple[int, ...] = ()


class Projection(Protocol):
    """One generation of one read model. Its `apply` reads and writes its own tables only."""

    name: ClassVar[str]
    version: ClassVar[int]
    generation: int
    metadata: MetaData

    @property
    def tables(self) -> object:
        """Its tables by name; queries ask for them by the type of this object."""

    def apply(self, connection: Connection, batch: Sequence[Translated]) -> list[Poisoned]:
        """Fold entries in order, in the caller's transaction; return what had to be set aside.

        None of them is poison: what cannot be translated is set aside before it comes here.
        Applying the same entries again, in batches of any size, changes nothing.
        """

    def refold(self, connection: Connection, entry: Translated) -> None:
        """Fold one entry that was set aside once, as if it had been understood at its time.

        An entry whose record is stored from an earlier position changes nothing; of one that is
        stored from a later position, the rows become known from this one on.
        """


#: Names by which rows are found. PostgreSQL indexes at most 2,704 bytes of a row; GitHub's own
#: limits are far below this one.
_NAMES: Final = ("full_name", "default_branch", "head", "kind", "ref")
_LONGEST_NAME: Final = 1_000


def _check_names(facts: Iterable[Fact]) -> None:
    for fact in facts:
        for name in _NAMES:
            text = getattr(fact, name, None)
            if isinstance(text, str) and len(text.encode()) > _LONGEST_NAME:
                raise InvalidEvent(f"longer than {_LONGEST_NAME:,} bytes", path=name)


def read_entry(entry: Entry) -> Translated:
    """Translate one entry; what cannot be understood is carried along as poison."""
    record = entry.record
    facts: tuple[Fact, ...] = ()
    poison: InvalidEvent | None = None
    try:
        facts = translate(record).facts
        _check_names(facts)
    except InvalidEvent as error:
        facts, poison = (), error
    return Translated(
        repo=record.repository,
        record_id=record.id,
        source=record.source,
        partition=entry.partition,
        position=entry.position,
        k=entry.recorded_at,
        body=record.body,
        facts=facts,
        poison=poison,
    )
