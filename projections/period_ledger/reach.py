"""From when to when is there anything to count?"""

from sqlalchemy import func, select

from events.identity import RepositoryKey
from events.instant import INF, Instant
from projections.pull_requests.tables import PullRequestTables
from projections.store.snapshot import Snapshot


def last_landed(snapshot: Snapshot, repo: RepositoryKey, known_at: Instant) -> Instant | None:
    """Return when the newest commit that lands a request was made, as known at K."""
    observations = snapshot.tables(PullRequestTables).observations
    query = (
        select(observations.c.at)
        .where(
            observations.c.repo == repo,
            observations.c.kind == "merge_commit",
            observations.c.k <= known_at,
        )
        .order_by(observations.c.at.desc())
        .limit(1)
    )
    return snapshot.connection.scalar(query)


def reach(
    snapshot: Snapshot, repo: RepositoryKey, known_at: Instant
) -> tuple[Instant | None, Instant | None]:
    """Return when the first and the last dated event of any request took place, as known at K."""
    states = snapshot.tables(PullRequestTables).states
    query = select(func.min(states.c.vf), func.max(states.c.vf)).where(
        states.c.repo == repo,
        states.c.vf < INF,
        states.c.kf <= known_at,
        states.c.kt > known_at,
    )
    first, last = snapshot.connection.execute(query).one()
    return first, last
