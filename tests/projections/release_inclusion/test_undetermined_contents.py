"""What a release is said to bring perhaps: only requests on which two releases can differ."""

import pytest

from tests.projections.release_inclusion.bench import Bench, git
from tests.projections.release_inclusion.histories import Written, line_of

PARSER = "Add the parser (#1)"
DOUBT = "Revert #1 but keep its tests (#2)"
AGAIN = "Revert #1 but keep its tests (#5)"
UNDONE = 'Revert "Revert #1 but keep its tests (#2)" (#4)'


def _perhaps(written: Written, *, against: str | None = "v1.0") -> list[int]:
    page = Bench(*git(written, "03-01")).page("v1.1", against=against)
    return [one.number for one in page.undetermined]


def _beside(*subjects: str) -> Written:
    """Write a doubtful revert under both releases, and what the first has alone after it."""
    written = line_of(PARSER, DOUBT, "Fix (#3)", **{"v1.1": "Fix (#3)", "v1.0": subjects[-1]})
    written.line(*subjects, after=DOUBT)
    return written


@pytest.mark.parametrize("before", [PARSER, "start"])
def test_a_doubt_that_only_the_second_release_has_is_told(before: str) -> None:
    written = line_of("start", PARSER, DOUBT, **{"v1.0": before, "v1.1": DOUBT})
    assert _perhaps(written) == [1]


def test_a_doubt_that_both_releases_have_with_its_carriers_cannot_part_them() -> None:
    written = line_of(PARSER, DOUBT, "Fix (#3)", **{"v1.0": DOUBT, "v1.1": "Fix (#3)"})
    assert _perhaps(written) == []


def test_without_a_release_before_every_doubt_is_told() -> None:
    assert _perhaps(line_of(PARSER, DOUBT, **{"v1.1": DOUBT}), against=None) == [1]


def test_a_change_that_both_releases_doubt_is_told_where_one_has_another_carrier() -> None:
    pick = "cp: `Add the parser (1)` into `r1` (#6)"
    assert _perhaps(_beside(pick)) == [1]


@pytest.mark.parametrize("alone", [AGAIN, UNDONE])
def test_a_doubt_is_told_where_the_first_release_alone_adds_to_it_or_undoes_it(alone: str) -> None:
    assert _perhaps(_beside(alone)) == [1]
    assert _perhaps(_beside("Tune (#7)")) == []
