"""Periods by name."""

import pytest

from events.errors import InvalidQuestion
from services.answers.questions.period import named_period, period


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("2026-07", "2026-07-01", "2026-08-01"),
        ("2026-12", "2026-12-01", "2027-01-01"),
        ("2026-Q4", "2026-10-01", "2027-01-01"),
        ("2026-q1", "2026-01-01", "2026-04-01"),
        ("2026-W01", "2025-12-29", "2026-01-05"),
        ("2026", "2026-01-01", "2027-01-01"),
        ("2026-07-03..2026-07-05", "2026-07-03", "2026-07-05"),
    ],
)
def test_a_name_stands_for_whole_local_days(name: str, start: str, end: str) -> None:
    assert named_period(name, "Asia/Shanghai") == period(start, end, "Asia/Shanghai")


@pytest.mark.parametrize("name", ["", "July", "2026-13", "2026-00", "2026-Q5", "2026-W60", "26-07"])
def test_what_is_no_period_is_answered_with_the_ways_to_write_one(name: str) -> None:
    with pytest.raises(InvalidQuestion, match="write 2026-07"):
        named_period(name, "UTC")
