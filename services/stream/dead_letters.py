"""The records that the projections in service have set aside."""

import msgspec
from sqlalchemy import Engine, func, select

from events.identity import RepositoryKey
from projections.engine import generations
from projections.store.schema import dead_letters as letters


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """One record that one projection could not use, and the requests it touches, if known."""

    projection: str
    partition: str
    position: int
    record_id: str
    repository: RepositoryKey
    stage: str
    reason: str
    path: str
    numbers: tuple[int, ...]

    @property
    def says(self) -> str:
        """The reason, with the place in the body where there is one."""
        return f"{self.path}: {self.reason}" if self.path else self.reason


def dead_letters(engine: Engine) -> list[DeadLetter]:
    """Return all dead letters of the active generations, in the order of the log."""
    with engine.connect() as connection:
        return [
            DeadLetter(
                projection=row.projection,
                partition=row.partition,
                position=row.position,
                record_id=row.record_id,
                repository=row.repo,
                stage=row.stage,
                reason=row.reason,
                path=row.path,
                numbers=tuple(msgspec.json.decode(row.numbers, type=list[int])),
            )
            for projection in generations.active(connection)
            for row in connection.execute(
                select(letters)
                .where(
                    letters.c.projection == projection.name,
                    letters.c.generation == projection.generation,
                )
                .order_by(letters.c.partition, letters.c.position)
            )
        ]


def too_many_set_aside(engine: Engine, limit: int) -> dict[RepositoryKey, str]:
    """Return why projecting should pause, by the repositories of which it should.

    The limit is for each repository and projection: what one of them sends holds up no other.
    """
    reasons: dict[RepositoryKey, str] = {}
    with engine.connect() as connection:
        for projection in generations.active(connection):
            count = func.count()
            query = (
                select(letters.c.repo, count)
                .where(
                    letters.c.projection == projection.name,
                    letters.c.generation == projection.generation,
                )
                .group_by(letters.c.repo)
                .having(count > limit)
            )
            for repo, found in connection.execute(query.order_by(letters.c.repo)):
                reasons[repo] = (
                    f"{repo} is paused: {projection.name} has set {found} records aside (limit "
                    f"{limit}); see `shipledger deadletters list`, then retry them, or raise "
                    "readiness.dead_letters"
                )
    return reasons
