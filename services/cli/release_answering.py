"""What the commands about releases share: the ground of their answers."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from projections.release_inclusion.view import HistoryCache
from services.answers.questions.period import moment
from services.answers.releases.asking import release_question
from services.answers.releases.context import ReleaseContext, open_releases
from services.cli.answering import up_to_date
from services.stream.stores import Stores


@contextmanager
def ground(
    repository: str, as_of: str | None, known_at: str | None, data: Path | None
) -> Iterator[ReleaseContext]:
    """Open the read model, up to date, at the moment asked for."""
    with up_to_date(data) as stores, ground_of(stores, repository, as_of, known_at) as asked:
        yield asked


@contextmanager
def ground_of(
    stores: Stores, repository: str, as_of: str | None = None, known_at: str | None = None
) -> Iterator[ReleaseContext]:
    """The same, on stores that are open."""
    question = release_question(
        stores.settings,
        repository,
        as_of=None if as_of is None else moment(as_of),
        known_at=None if known_at is None else moment(known_at),
    )
    with stores.read_model.snapshot() as snapshot:
        yield open_releases(snapshot, question, HistoryCache())


def whoever() -> str:
    """Return the name under which a decision is recorded unless one is given."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
