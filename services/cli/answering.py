"""Commands that answer from the read model: they bring it up to date first, then ask.

Those that only ask may be carried out by a running process (`asked`), whose projector or workers
bring the read model up to date, as for a command beside them.
"""

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from services.cli.printing import progress_bar
from services.cli.saying import say
from services.cli.served import only_by_itself, served

if TYPE_CHECKING:
    from projections.engine.runner import AppliedBatch
    from services.answers.questions.builder import QuestionRequest
    from services.answers.releases.context import ReleaseContext
    from services.answers.roadmaps.asking import RoadmapAnswers
    from services.stream.stores import Stores


class _Progress:
    """Tells a progress bar how far the apply loop is; each projection counts each record."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self._tell = tell
        self._done = 0
        self._left: dict[tuple[str, str], int] = {}

    def batch(self, batch: "AppliedBatch") -> None:
        """See `Observer.batch`."""
        self._done += batch.records

    def lag(self, projection: str, partition: str, records: int) -> None:
        """See `Observer.lag`."""
        self._left[projection, partition] = records
        if self._done:
            self._tell(self._done, self._done + sum(self._left.values()))


@contextmanager
def up_to_date(data: Path | None) -> "Iterator[Stores]":
    """Open the data folder with a read model that stands at the end of the log.

    While `shipledger up` holds the folder it does that itself, and the answer says how far it is.
    """
    from services.config.settings import load
    from services.processes.bootstrap import catch_up
    from services.stream.histories import keep_made
    from services.stream.stores import open_stores

    only_by_itself("it may write")
    with open_stores(load(data=data)) as stores:
        with progress_bar("Reading the log") as tell:
            catch_up(stores, _Progress(tell))
        _tell_of_the_clock(stores)
        yield stores
        keep_made(stores)
        if stores.editions.waiting:  # most commands read no roadmap, and need not load how
            from services.stream import editions

            editions.keep_made(stores)


@contextmanager
def asked(data: Path | None) -> "Iterator[Stores]":
    """The same for a command that only asks: on the stores of the process that carries it out."""
    place = served()
    if place is None:
        with up_to_date(data) as stores:
            yield stores
        return
    stores = place.stores_of(data)
    _tell_of_the_clock(stores)
    yield stores


def _tell_of_the_clock(stores: "Stores") -> None:
    """Say on standard error where answers stand on records that are stamped in the future."""
    from sqlalchemy.exc import DBAPIError

    from services.stream.clock_ahead import stamped_ahead

    # a read model that is not there yet: the question itself says so
    with suppress(DBAPIError), stores.read_model.engine.connect() as connection:
        for warning in stamped_ahead(connection, stores.clock()):
            say(f"warning: {warning}", err=True)


@contextmanager
def releases_of(request: "QuestionRequest", data: Path | None) -> "Iterator[ReleaseContext]":
    """Open what answers about releases stand on, up to date, at the moment asked for."""
    with asked(data) as stores, releases_on(stores, request) as context:
        yield context


@contextmanager
def releases_on(stores: "Stores", request: "QuestionRequest") -> "Iterator[ReleaseContext]":
    """The same, on stores that are open."""
    from services.answers.questions.builder import QuestionBuilder
    from services.answers.releases.context import open_releases

    question = QuestionBuilder(stores.settings).repository(request)
    with stores.read_model.snapshot() as snapshot:
        yield open_releases(snapshot, question, stores.histories)


@contextmanager
def roadmaps_of(request: "QuestionRequest", data: Path | None) -> "Iterator[RoadmapAnswers]":
    """Open what answers about roadmaps stand on, up to date, at the moment asked for."""
    from services.answers.roadmaps.asking import open_roadmaps, roadmap_question

    with asked(data) as stores:
        question = roadmap_question(stores.settings, request)
        with stores.read_model.snapshot() as snapshot:
            yield open_roadmaps(snapshot, question, stores.histories, stores.editions)


def whoever() -> str:
    """Return the name under which a decision is recorded unless one is given."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
