"""Periods and their edges, whatever zone files the machine has."""

import pytest

from events.errors import InvalidQuestion
from events.instant import parse_instant
from services.answers.questions.period import edge, period


@pytest.mark.parametrize(
    ("start", "end", "zone", "kind", "name"),
    [
        ("2026-07-01", "2026-08-01", "Asia/Shanghai", "Monthly", "July 2026"),
        ("2026-07-01", "2026-10-01", "UTC", "Quarterly", "Q3 2026"),
        ("2026-07-06", "2026-07-13", "UTC", "Weekly", "2026-07-06 through 2026-07-12"),
        ("2026-05-01", "2026-08-01", "UTC", "", "2026-05-01 through 2026-07-31"),
        (
            "2026-07-01T00:00:00Z",
            "2026-08-01T00:00:00Z",
            "Asia/Shanghai",
            "",
            "2026-07-01 through 2026-08-01",
        ),
    ],
)
def test_a_period_is_called_what_people_call_it(
    start: str, end: str, zone: str, kind: str, name: str
) -> None:
    asked = period(start, end, zone)
    assert (asked.kind, asked.name) == (kind, name)


@pytest.mark.parametrize(
    ("day", "zone", "instant"),
    [
        ("2026-07-01", "Asia/Shanghai", "2026-06-30T16:00:00Z"),
        ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"),
        ("2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00Z"),
        ("2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z"),
        ("2026-07-01", "Asia/Kolkata", "2026-06-30T18:30:00Z"),
    ],
    ids=[
        "plain",
        "before summer time",
        "after it",
        "a midnight that does not exist",
        "half an hour",
    ],
)
def test_a_local_day_begins_at_its_first_instant(day: str, zone: str, instant: str) -> None:
    assert edge(day, zone) == parse_instant(instant)


@pytest.mark.parametrize(
    ("start", "end", "zone", "says"),
    [
        ("2026-08-01", "2026-08-01", "UTC", "is empty"),
        ("2026-08-02", "2026-08-01", "UTC", "is empty"),
        ("July", "2026-08-01", "UTC", "write 2026-07-01"),
        ("2026-07-01T00:00:00", "2026-08-01", "UTC", "its offset"),
        ("2026-07-01", "2026-08-01", "Asia/Peking City", "IANA name"),
        ("2026-07-01", "2026-08-01", "../UTC", "IANA name"),
        ("2026-07-01", "2026-08-01", "", "IANA name"),
    ],
)
def test_what_cannot_be_read_is_answered_with_how_to_write_it(
    start: str, end: str, zone: str, says: str
) -> None:
    with pytest.raises(InvalidQuestion, match=says):
        period(start, end, zone)
