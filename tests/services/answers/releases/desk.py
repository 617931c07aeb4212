"""One small history with its releases, and a desk at which questions about it are asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from services.answers.questions.question import RepositoryQuestion
from services.answers.releases.context import ReleaseContext, open_releases
from services.answers.releases.filters import Filter
from services.answers.releases.inclusion import Everywhere, Inclusion, everywhere, included
from services.answers.releases.listing import Listing, listing
from services.answers.releases.release_page import ReleasePage, release_page
from tests.builders import at
from tests.projections.release_inclusion.bench import (
    ROLES,
    Arrival,
    Bench,
    git,
    merged,
    opened,
)
from tests.projections.release_inclusion.histories import Written


class Desk(Bench):
    """Asks as the command line and the API do."""

    @contextmanager
    def ground(
        self, *, as_of: str | None = None, known_at: str | None = None, **configured: Any
    ) -> Iterator[ReleaseContext]:
        """Open the ground of a question."""
        question = RepositoryQuestion(
            full_name="acme/widget",
            as_of=None if as_of is None else at(as_of),
            known_at=None if known_at is None else at(known_at),
            roles=ROLES,
            **configured,
        )
        with self.model.snapshot() as snapshot:
            yield open_releases(snapshot, question, self.cache)

    def included(self, number: int, tag: str, **asked: Any) -> Inclusion:
        """Ask for one request and one tag, alias or branch."""
        with self.ground(**asked) as ground:
            return included(ground, number, tag)

    def everywhere(self, number: int, **asked: Any) -> Everywhere:
        """Ask for one request and all releases."""
        with self.ground(**asked) as ground:
            return everywhere(ground, number)

    def release(
        self, tag: str, *, against: str | None = None, shown: Filter | None = None, **asked: Any
    ) -> ReleasePage:
        """Ask for one release."""
        with self.ground(**asked) as ground:
            return release_page(ground, tag, against=against, shown=shown)

    def listing(self, *, family: str | None = None, **asked: Any) -> Listing:
        """Ask for all releases, or for those of one family."""
        with self.ground(**asked) as ground:
            return listing(ground, family)


def written() -> Written:
    """Return a history: `release-1.0` is cut from main after #2, and #3 is picked to it as #4;
    main takes #2 back by #5; #6 lives on dev.
    """
    history = Written()
    history.commit("a", subject="Add a (#1)", at=at("03-01"))
    history.commit("b", "a", subject="Add b (#2)", at=at("03-02"))
    history.commit("d", "b", subject="Try d (#6)", at=at("03-03"))
    history.commit("bump", "b", subject="Bump the version", at=at("03-04"))
    history.commit("c", "b", subject="Add c (#3)", at=at("03-05"))
    pick = "cp: `Add c (3)` into `release-1.0` (#4)"
    history.commit("p", "bump", subject=pick, at=at("03-06"))
    history.commit("u", "c", subject='Revert "Add b (#2)" (#5)', at=at("03-07"))
    history.branches = {"main": "u", "dev": "d", "release-1.0": "p"}
    history.tags = {"v1.0.0": "bump", "v1.0.1": "p", "v2.0.0": "u"}
    return history


def story(*more: Arrival) -> Desk:
    """Return a desk for it: read on 03-10; #7 is open, #8 closed, #9 merged without a trace."""
    return Desk(
        opened(7, "03-08", title="Wait"),
        opened(8, "03-08", title="Give up"),
        merged(9, None, "03-08", title="Vanish"),
        closed(8, "03-09"),
        *git(written(), "03-10"),
        *more,
    )


def closed(number: int, when: str) -> Arrival:
    """Return the delivery of a close without a merge."""
    values = {"state": "closed", "merged": False, "closed_at": when}
    return merged(number, None, when, **{**values, "merged_at": None, "title": "Give up"})
