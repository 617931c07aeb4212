"""What GitHub says of when refs changed, and which of it counts."""

from events.instant import SECOND
from services.intake.git.ref_dates import RefDates
from tests.builders import pull_request, webhook
from tests.services.intake.mirror.mirroring import ZERO, push_record, release_record

A, B, TAG = "a" * 40, "b" * 40, "c" * 40
MAIN, V1 = "refs/heads/main", "refs/tags/v1"
AT = 1_782_864_000 * SECOND


def test_the_latest_push_to_a_value_after_the_reading_before_counts() -> None:
    dates = RefDates()
    for nth, sha in enumerate((A, B, A)):
        dates.add(push_record(MAIN, sha, AT + nth * SECOND * 60))
    assert dates.pushed(MAIN, A, after=None) == AT + 120 * SECOND
    assert dates.pushed(MAIN, B, after=AT) == AT + 60 * SECOND
    assert dates.pushed(MAIN, B, after=AT + 90 * SECOND) is None
    assert dates.pushed(MAIN, None, after=None) is None
    assert dates.pushed("refs/heads/other", A, after=None) is None


def test_a_push_within_the_second_of_the_reading_may_have_come_after_it() -> None:
    dates = RefDates()
    dates.add(push_record(MAIN, A, AT))
    assert dates.pushed(MAIN, A, after=AT + SECOND // 2) == AT
    assert dates.pushed(MAIN, A, after=AT + SECOND) is None


def test_deletions_and_tag_objects_are_values_too() -> None:
    dates = RefDates()
    dates.add(push_record(V1, TAG, AT, commit=A))
    dates.add(push_record(V1, ZERO, AT + SECOND))
    assert dates.pushed(V1, TAG, after=None) == AT
    assert dates.pushed(V1, A, after=None) is None
    assert dates.pushed(V1, None, after=None) == AT + SECOND


def test_the_first_publication_after_the_commit_was_made_counts() -> None:
    dates = RefDates()
    for moment in ("2026-07-03T00:00:00Z", "2026-07-01T00:00:00Z", "2026-07-05T00:00:00Z"):
        dates.add(release_record("v1", moment, made="2026-06-01T00:00:00Z"))
    day = 86_400 * SECOND
    assert dates.published("v1", after=None, made=0) == AT
    assert dates.published("v1", after=None, made=AT + day) == AT + 2 * day
    assert dates.published("v1", after=AT + 3 * day, made=0) == AT + 4 * day
    assert dates.published("v2", after=None, made=0) is None


def test_what_cannot_be_understood_or_dates_nothing_is_passed_over() -> None:
    dates = RefDates()
    dates.add(webhook("x", "push", b"{}"))
    dates.add(webhook("y", "release", b"not json"))
    dates.add(pull_request("z", 7, "opened", "03-01"))
    assert dates.pushed(MAIN, A, after=None) is None
