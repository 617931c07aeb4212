"""What persons should look at, as gauges: roadmaps against facts, decisions against each other.

Computing them reads whole roadmaps, so it is done beside the answers, never inside a scrape, and
again only for a repository of which something else is known since: T is then the last record, so
the time that passes without one decides nothing. Between these the gauges stand as
they were, and another gauge tells for how long.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from events.errors import ShipledgerError
from events.identity import RepositoryKey
from projections.curation.queries import decisions
from projections.curation.resolving import active_by_subject
from projections.repositories.queries import listing
from projections.roadmap_status.drift.drift import DriftKind
from projections.store.snapshot import Snapshot
from services.answers.questions.builder import QuestionRequest
from services.answers.roadmaps.asking import open_roadmaps, roadmap_question
from services.answers.roadmaps.conflicts import conflicts
from services.runtime.loop import BackgroundLoop, Backoff
from services.runtime.telemetry import Metrics
from services.stream.stores import Stores

#: Seconds between two looks.
EVERY: Final = 60.0
#: Seconds to wait at the end for a look that is under way; it only reads.
_LAST_LOOK: Final = 2.0

_logger = structlog.get_logger(__name__)


class Findings:
    """Sets the gauges of a process. One look at a time: another one beside it does not wait."""

    def __init__(
        self,
        stores: Stores,
        metrics: Metrics,
        *,
        every: float = EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stores, self._metrics = stores, metrics
        self._every, self._clock = every, clock
        self._next = clock()
        self._read: dict[RepositoryKey, Hashable] = {}
        self._shown: dict[RepositoryKey, set[tuple[str, str]]] = {}
        self._looking = threading.Lock()
        self._looked: float | None = None

    def tell_age(self) -> None:
        """Set the gauge of how long ago the last whole look was, as a scrape asks for it."""
        if self._looked is not None:
            self._metrics.findings_age.set(self._clock() - self._looked)

    def measure(self) -> None:
        """Look again where it is time to; a failing look leaves the gauges and never raises."""
        with self._alone() as alone:
            if not alone or self._clock() < self._next:
                return
            began = self._clock()
            self._next = began + self._every
            try:
                with self._stores.read_model.snapshot() as snapshot:
                    for repository in listing(snapshot):
                        self._look(snapshot, repository.repo, repository.full_name)
                self._looked = began
            except (ShipledgerError, SQLAlchemyError) as error:
                _logger.warning("findings.failed", error=str(error))

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        alone = self._looking.acquire(blocking=False)
        try:
            yield alone
        finally:
            if alone:
                self._looking.release()

    def _look(self, snapshot: Snapshot, repo: RepositoryKey, name: str) -> None:
        reached = snapshot.reached(repo)
        if self._read.get(repo) == reached:
            return
        last_recorded = snapshot.watermark(repo).last_recorded
        label = self._metrics.bounded("repository", name or repo)
        question = roadmap_question(self._stores.settings, QuestionRequest(repository=repo))
        table = open_roadmaps(snapshot, question, self._stores.histories, self._stores.editions)
        self._show(repo, label, dict(conflicts(table)))
        decided = active_by_subject(decisions(snapshot, repo, last_recorded)).values()
        rivals = self._metrics.decision_conflicts.labels(label)
        rivals.set(
            sum(bool(decision.rivals) for decision in decided if decision.fact.value is not None)
        )
        self._read[repo] = reached

    def _show(
        self, repo: RepositoryKey, label: str, counts: dict[tuple[int, DriftKind], int]
    ) -> None:
        """Set the gauges of a repository; what was told of it before and is no more becomes 0."""
        gauge, shown = self._metrics.roadmap_conflicts, self._shown.setdefault(repo, set())
        counted = {(str(number), kind.value): count for (number, kind), count in counts.items()}
        for issue, kind in shown | counted.keys():
            bounded = self._metrics.bounded("roadmap", issue)
            gauge.labels(label, bounded, kind).set(counted.get((issue, kind), 0))
        shown.update(counted)


class FindingsLoop(BackgroundLoop):
    """Looks again and again, from the start of a process to its end.

    What goes wrong is logged and tried again: a metric that fails never fails the work.
    """

    def __init__(self, findings: Findings, *, every: float = EVERY) -> None:
        super().__init__("findings", backoff=Backoff(every, every), last_round=_LAST_LOOK)
        self._findings = findings
        self._every = every

    def _round(self) -> float:
        try:
            self._findings.measure()
        except Exception:  # a fault in one roadmap; the age of what is shown tells of it
            _logger.exception("findings.failed")
        return self._every
