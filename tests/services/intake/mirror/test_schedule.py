"""When to fetch."""

from services.intake.mirror.schedule import (
    FIRST_PAUSE,
    LONGEST_DELAY,
    LONGEST_PAUSE,
    QUIET,
    Schedule,
)


def test_a_fetch_is_due_an_interval_after_the_one_before() -> None:
    schedule = Schedule(300, first=100)
    assert schedule.due() == 100
    schedule.start()
    schedule.succeed(104)
    assert schedule.due() == 404


def test_requests_are_gathered_but_not_for_ever() -> None:
    schedule = Schedule(300, first=1000)
    schedule.ask(10)
    assert schedule.due() == 10 + QUIET
    for moment in range(10, 40):
        schedule.ask(moment / 2 + 5)
    assert schedule.due() == 10 + LONGEST_DELAY


def test_a_request_during_a_fetch_asks_for_another() -> None:
    schedule = Schedule(300, first=0)
    schedule.ask(0)
    schedule.start()
    schedule.ask(5)
    schedule.succeed(6)
    assert schedule.due() == 5 + QUIET


def test_a_request_does_not_bring_the_timer_forward_for_good() -> None:
    schedule = Schedule(300, first=50)
    schedule.ask(49.5)
    assert schedule.due() == 50


def test_pauses_after_failures_grow_whoever_asks_and_end_with_success() -> None:
    schedule = Schedule(300, first=0)
    pauses = [schedule.fail(0) for _ in range(20)]
    assert pauses[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert pauses[-1] == LONGEST_PAUSE
    schedule.ask(1)
    assert schedule.due() == LONGEST_PAUSE
    schedule.start()
    schedule.succeed(1000)
    assert schedule.fail(1000) == FIRST_PAUSE
