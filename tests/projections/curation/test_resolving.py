"""Which of several decisions holds."""

from typing import Any

from events.facts.editions import TellingDecided
from projections.curation.resolving import (
    RecordedDecision,
    active_by_subject,
    active_decisions,
    replaced_by,
)
from tests.builders import at


def decided(name: str, when: str, value: str | None = "a", **fields: Any) -> RecordedDecision:
    given: dict[str, Any] = {"kind": "theme", "numbers": (7,), "author": name, **fields}
    fact = TellingDecided(decided_at=at(when), value=value, **given)
    return RecordedDecision(record_id=name, fact=fact)


def held(*given: RecordedDecision, start: str = "07-01", end: str = "08-01") -> list[str]:
    return [one.record_id for one in active_decisions(given, at(start), at(end))]


def test_the_one_that_names_another_replaces_it_whatever_the_clocks_say() -> None:
    assert held(decided("one", "07-02"), decided("two", "07-01", replaces=("one",))) == ["two"]


def test_of_two_that_did_not_know_of_each_other_the_last_holds_and_both_are_named() -> None:
    given = (decided("b", "07-02"), decided("a", "07-02"), decided("c", "07-01"))
    (one,) = active_by_subject(given).values()
    assert (one.record_id, one.rivals) == ("b", ("c", "a"))


def test_a_third_one_that_knew_of_both_ends_the_dispute() -> None:
    given = [decided("a", "07-02"), decided("b", "07-03")]
    third = decided("c", "07-04", replaces=replaced_by(given, given[0].fact))
    (one,) = active_by_subject([*given, third]).values()
    assert (one.record_id, one.rivals) == ("c", ())


def test_a_decision_that_is_taken_back_does_not_hold() -> None:
    assert held(decided("a", "07-02"), decided("b", "07-03", None, replaces=("a",))) == []


def test_a_decision_for_the_edition_s_own_range_counts_after_one_for_all() -> None:
    ranged = decided("ranged", "07-01", start=at("07-01"), end=at("08-01"))
    assert held(ranged, decided("all", "07-09")) == ["all", "ranged"]
    assert held(ranged, start="08-01", end="09-01") == []


def test_the_order_of_arrival_does_not_matter() -> None:
    given = [decided("a", "07-02"), decided("b", "07-03"), decided("c", "07-01", replaces=("a",))]
    assert active_by_subject(given) == active_by_subject(given[::-1])


def test_in_a_circle_all_stand_and_the_last_holds() -> None:
    given = [decided("a", "07-02", replaces=("b",)), decided("b", "07-03", replaces=("a",))]
    (one,) = active_by_subject(given).values()
    assert (one.record_id, one.rivals) == ("b", ("a",))
