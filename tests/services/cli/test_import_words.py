"""What `import git` says: how many requests, not landings; a month that holds something."""

from datetime import date

import pytest

from services.cli.importing import _month_to_read
from services.intake.git.tally import Tally
from tests.clones import commit

TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("months", "proposed"),
    [
        (("2026-06", "2026-08"), "2026-08"),
        (("2026-11", "2026-12"), "2026-11"),
        (("2026-12",), "2026-12"),
        ((), "2026-11"),
    ],
)
def test_the_month_that_is_proposed_holds_a_landing(months: tuple[str, ...], proposed: str) -> None:
    assert _month_to_read(months, TODAY) == proposed


def test_a_request_that_lands_on_two_branches_is_one_request() -> None:
    tally = Tally()
    tally.take([commit("a", "Fix (#1)", "08-03"), commit("b", "Two (#2)", "09-01", "a")])
    tally.take([commit("c", "Fix (#1)", "08-04", branch="release")])
    assert tally.recognised == {"trailing number": 3}
    assert (tally.requests, tally.months) == (2, ("2026-08", "2026-09"))
