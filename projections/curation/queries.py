"""What was decided, grouped and published, as known at K."""

import msgspec
from sqlalchemy import select

from events.facts.editions import EditionPublished, Section, TellingDecided, ThemesAssigned
from events.identity import RepositoryKey
from events.instant import Instant
from projections.curation.assigning import KnownAssignment, section_of, standing
from projections.curation.resolving import RecordedDecision
from projections.curation.tables import CurationTables
from projections.store.snapshot import Snapshot


class KnownEdition(msgspec.Struct, frozen=True, kw_only=True):
    """A published edition with its record."""

    fact: EditionPublished
    record_id: str
    k: Instant


def decisions(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[RecordedDecision]:
    """Return every decision recorded by K, replaced ones too, in the order of the log."""
    table = snapshot.tables(CurationTables).decisions
    query = select(table.c.record_id, table.c.fields).where(
        table.c.repo == repo, table.c.k <= known_at
    )
    rows = snapshot.connection.execute(query.order_by(table.c.k, table.c.idx))
    return [
        RecordedDecision(
            record_id=row.record_id, fact=msgspec.json.decode(row.fields, type=TellingDecided)
        )
        for row in rows
    ]


class Assignments:
    """The recorded themes of one repository: by the digest of their inputs, and by their section.

    By digest they have no K: the inputs decide them alone, and a question at an old K has old
    inputs. As the base of a draft each is known from its record on.
    """

    def __init__(self, snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> None:
        self._snapshot, self._repo, self._known_at = snapshot, repo, known_at

    def get(self, inputs: str) -> ThemesAssigned | None:
        """Return what was recorded first for some inputs, None where nothing was."""
        table = self._snapshot.tables(CurationTables).themes
        query = select(table.c.fields).where(table.c.repo == self._repo, table.c.inputs == inputs)
        fields = self._snapshot.connection.scalar(query.order_by(table.c.k, table.c.idx).limit(1))
        return None if fields is None else msgspec.json.decode(fields, type=ThemesAssigned)

    def base(
        self,
        section: Section,
        start: Instant,
        end: Instant,
        releases: tuple[str, str] | None = None,
    ) -> KnownAssignment | None:
        """Return the assignment that a draft of a section rests on, None before the first one."""
        table = self._snapshot.tables(CurationTables).themes
        word = section_of(section, start, end, releases)
        query = select(table.c.record_id, table.c.k, table.c.fields).where(
            table.c.repo == self._repo, table.c.about == word, table.c.k <= self._known_at
        )
        rows = self._snapshot.connection.execute(query.order_by(table.c.k, table.c.idx))
        return standing(
            KnownAssignment(
                fact=msgspec.json.decode(row.fields, type=ThemesAssigned),
                record_id=row.record_id,
                k=row.k,
            )
            for row in rows
        )


def editions(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> list[KnownEdition]:
    """Return every edition published by K, by its period, then as they were recorded."""
    table = snapshot.tables(CurationTables).editions
    query = select(table.c.record_id, table.c.k, table.c.fields).where(
        table.c.repo == repo, table.c.k <= known_at
    )
    rows = snapshot.connection.execute(query.order_by(table.c.vf, table.c.k, table.c.idx))
    return [
        KnownEdition(
            fact=msgspec.json.decode(row.fields, type=EditionPublished),
            record_id=row.record_id,
            k=row.k,
        )
        for row in rows
    ]


def edition_before(
    snapshot: Snapshot,
    repo: RepositoryKey,
    start: Instant,
    known_at: Instant,
    *,
    of_releases: bool = False,
) -> KnownEdition | None:
    """Return the edition known last of the period that ends last at or before `start`.

    `of_releases`: of those that tell what one release brings against another, and of no period.
    """
    before = [
        edition
        for edition in editions(snapshot, repo, known_at)
        if edition.fact.end <= start
        and edition.fact.themes
        and (edition.fact.releases is not None) == of_releases
    ]
    return max(
        before, key=lambda edition: (edition.fact.end, edition.k, edition.record_id), default=None
    )
