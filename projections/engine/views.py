"""SQL views for dashboards: stable names over whichever generation answers, present knowledge only.

One row is one event, or one open request, with its moment, base branch and repository name. They
are replaced in the transaction of a switch. What was known at an earlier moment, evidence, quality
and coverage are asked of the API. In PostgreSQL moments are timestamptz, and `period_views.sql`
adds the counts of a period and of months in a named zone; in SQLite moments are RFC 3339 texts.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, func, null, select
from sqlalchemy.types import String

from events.instant import SECOND
from projections.pull_requests.apply import PullRequests
from projections.pull_requests.tables import PullRequestTables
from projections.repositories.apply import Repositories
from projections.repositories.tables import RepositoryTables
from projections.store.base import Projection
from projections.store.dialects import is_postgres
from projections.store.schema import constant, endless

#: View -> how a request enters the state that one row of it stands for.
EVENTS: Final[dict[str, tuple[str, ...]]] = {
    "shipledger_openings": ("opened",),
    "shipledger_merges": ("merged",),
    "shipledger_closes": ("closed", "landed", "closed_unknown"),
    "shipledger_reopenings": ("reopened",),
}
OPEN_NOW: Final = "shipledger_open_now"
STATES: Final = "shipledger_states"
REPOSITORIES: Final = "shipledger_repositories"
NAMES: Final = (STATES, *EVENTS, OPEN_NOW, REPOSITORIES)


def replace(connection: Connection, projections: Sequence[Projection]) -> None:
    """Make the views show these generations."""
    for projection in projections:
        if isinstance(projection, PullRequests):
            requests = projection.tables
        elif isinstance(projection, Repositories):
            repositories = projection.tables
    views_of = _Shown(connection, requests, repositories)
    for name, query in views_of.views().items():
        body = query.compile(connection, compile_kwargs={"literal_binds": True})
        if is_postgres(connection):
            # keeps grants, and other people's views of these
            connection.exec_driver_sql(f"CREATE OR REPLACE VIEW {name} AS {body}")
        else:
            connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
            connection.exec_driver_sql(f"CREATE VIEW {name} AS {body}")
    if is_postgres(connection):
        functions = files("projections").joinpath("period_views.sql").read_text("utf-8")
        connection.exec_driver_sql(functions.replace("%", "%%"))


class _Shown:
    """The queries behind the views, over one generation of each projection."""

    def __init__(
        self, connection: Connection, requests: PullRequestTables, repositories: RepositoryTables
    ) -> None:
        self._states, self._bases = requests.states.c, requests.bases.c
        self._names = repositories.names.c
        joined: FromClause = requests.states.join(
            repositories.names,
            and_(self._names.repo == self._states.repo, self._names.kt == endless()),
        )
        self._from = joined.outerjoin(
            requests.bases,
            and_(
                self._bases.repo == self._states.repo,
                self._bases.number == self._states.number,
                self._bases.kt == endless(),
                self._bases.vf <= self._states.vf,
                self._bases.vt > self._states.vf,
            ),
        )
        self._is_postgres = is_postgres(connection)

    def views(self) -> dict[str, Select[Any]]:
        """Return every view by its name."""
        states = self._states
        views = {STATES: self._spans()}
        for name, enters in EVENTS.items():
            views[name] = self._events().where(
                states.enter.in_([constant(enter) for enter in enters])
            )
        views[OPEN_NOW] = self._open_now()
        views[REPOSITORIES] = select(
            self._names.full_name.label("repository"), self._names.repo, self._names.default_branch
        ).where(self._names.kt == endless())
        return views

    def _rows(self, *columns: ColumnElement[Any]) -> Select[Any]:
        names, states = self._names, self._states
        return (
            select(names.full_name.label("repository"), states.repo, states.number, *columns)
            .select_from(self._from)
            .where(states.kt == endless(), states.vf < endless())
        )

    def _events(self) -> Select[Any]:
        return self._rows(
            self._moment(self._states.vf).label("at"),
            self._bases.base,
            self._states.state,
            self._states.evidence,
            self._states.record_id,
        )

    def _spans(self) -> Select[Any]:
        states = self._states
        until = case((states.vt < endless(), self._moment(states.vt)), else_=null())
        return self._rows(
            states.enter,
            states.state,
            self._moment(states.vf).label("valid_from"),
            until.label("valid_until"),
            self._bases.base,
        )

    def _open_now(self) -> Select[Any]:
        """The base is the present one, which may not be that of the opening."""
        states, bases, names = self._states, self._bases, self._names
        present = and_(
            bases.repo == states.repo,
            bases.number == states.number,
            bases.kt == endless(),
            bases.vt == endless(),
        )
        joined = (
            states.repo.table.join(
                names.repo.table, and_(names.repo == states.repo, names.kt == endless())
            )
        ).outerjoin(bases.repo.table, present)
        return (
            select(
                names.full_name.label("repository"),
                states.repo,
                states.number,
                self._moment(states.vf).label("since"),
                bases.base,
            )
            .select_from(joined)
            .where(states.state == constant("open"), states.vt == endless(), states.kt == endless())
        )

    def _moment(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        if self._is_postgres:
            return column
        return func.strftime("%Y-%m-%dT%H:%M:%SZ", column / SECOND, "unixepoch", type_=String())
