"""A bench for small cases: records arrive when a test says, and questions are asked of them."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Engine

from events.instant import Instant
from events.record import Record
from projections.engine.read_model import ReadModel
from projections.pull_requests.queries import states_of
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.request_life import RequestLife, request_life
from tests.builders import REPO, at, repository, webhook
from tests.worlds import SetClock, log_of, project


class Lab:
    """Records with their times of arrival, projected into memory or into a given engine.

    The reader has caught up at `until`, by default a year after the last arrival, so that periods
    are not cut.
    """

    def __init__(
        self,
        arrivals: Iterable[tuple[str, Record]],
        *,
        until: str = "2027-06-01T00:00:00Z",
        engine: Engine | None = None,
    ) -> None:
        found = [(at(when), record) for when, record in arrivals]
        self.clock = SetClock()
        self.log = log_of(
            [record for _, record in found], [when for when, _ in found].__getitem__, self.clock
        )
        self.clock.now = at(until)
        self.model: ReadModel = project(self.log, engine=engine, clock=self.clock)

    def report(
        self,
        start: str,
        end: str,
        *,
        tz: str = "UTC",
        as_of: str | None = None,
        known_at: str | None = None,
        name: str = "acme/widget",
    ) -> Report:
        """Ask for the report of [start, end)."""
        question = ReportQuestion(
            full_name=name,
            period=period(start, end, tz),
            as_of=_at(as_of),
            known_at=_at(known_at),
        )
        with self.model.snapshot() as snapshot:
            return assemble(snapshot, question)

    def counts(self, start: str, end: str, **asked: Any) -> dict[str, int]:
        """Return the counts of a period that are not zero."""
        report = self.report(start, end, **asked)
        return {name: value for name, value in report.counts.items() if value}

    def life(
        self, number: int, *, as_of: str | None = None, known_at: str | None = None
    ) -> RequestLife:
        """Ask for the life of a request."""
        with self.model.snapshot() as snapshot:
            return request_life(snapshot, "acme/widget", number, _at(as_of), _at(known_at))

    def transitions(self, number: int) -> list[tuple[str, Instant]]:
        """Return the present transitions of a request."""
        with self.model.snapshot() as snapshot:
            spans = states_of(snapshot, REPO, number, self.clock.now)
        return [(span.enter, span.vf) for span in spans]


def created(when: str = "01-01") -> tuple[str, Record]:
    """Return the delivery that announces the creation of acme/widget."""
    moment = f"2026-{when}T00:00:00Z"
    body = {"action": "created", "repository": repository(created_at=moment)}
    return when, webhook("created", "repository", body)


def heard(when: str = "08-01", record_id: str = "heard") -> tuple[str, Record]:
    """Return a delivery that shows no more than that acme/widget was heard of."""
    body = {"action": "edited", "repository": repository(updated_at=f"2026-{when}T00:00:00Z")}
    return when, webhook(record_id, "repository", body)


def _at(text: str | None) -> Instant | None:
    return None if text is None else at(text)
