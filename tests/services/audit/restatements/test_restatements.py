"""Every difference between two answers has its cause: late records, rules, decisions, programs."""

import json

import pytest

from events.errors import InvalidQuestion
from events.facts.editions import TellingDecided
from events.facts.repository import CensusObserved
from events.record import Record
from events.sources.github_api import files_record
from services.audit.restatements import restatement_forms
from services.audit.restatements.figures import Name
from services.documents.forms import render
from tests.builders import REPO, at, merge, pull_request
from tests.lab import created
from tests.services.audit.receipts.desk import Desk, configured
from tests.services.audit.restatements.looking import JULY, balanced, causes, decided, differences


def test_nothing_changed_is_said(desk: Desk) -> None:
    found = desk.compare(*JULY, "08-01")
    assert found.empty
    assert "Nothing changed." in render(restatement_forms(found), "md")


def test_a_late_merge_is_named_with_its_record_and_when_it_was_recorded(desk: Desk) -> None:
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare(*JULY, "08-01")
    assert differences(found)["raw", "merged"] == 1
    assert differences(found)["raw", "open_at_end"] == -1
    assert causes(found) == {(1, "late record", "late")}
    assert found.requests[0].cause.recorded_at == at("08-05")
    assert found.requests[0].cause.source == "webhook"
    assert (Name("raw", "merged"), 1) in found.requests[0].moves
    assert balanced(found)
    text = render(restatement_forms(found), "md")
    assert "| merged | 0 | 1 | +1 |" in text
    assert "- #1: merged +1, open at end -1" in text
    assert "record late (webhook), recorded 2026-08-05T00:00:00Z" in text


def test_a_late_census_is_the_cause_of_what_it_closed_and_proved() -> None:
    desk = Desk()
    desk.configure("05-01", configured())
    desk.receive([("07-02", pull_request("a", 1, "opened", "07-02"))])
    desk.receive([("07-03", pull_request("b", 2, "opened", "07-03"))])
    desk.catch_up("08-01 06:00:00")
    census = CensusObserved(
        at=at("07-20"), listed_from="api", highest_number=2, open_numbers=(1,), complete=True
    )
    earlier = CensusObserved(
        at=at("06-30"), listed_from="api", highest_number=0, open_numbers=(), complete=True
    )
    desk.receive([decided("08-03", "census", census), decided("08-04", "start", earlier)])
    desk.catch_up("08-06")
    found = desk.compare(*JULY, "08-01")
    assert causes(found) == {(2, "late record", "census")}
    assert differences(found)["raw", "closed_unknown"] == 1
    assert balanced(found)
    assert [doubt.kind for doubt in found.doubts_gone] == ["no_start", "unheard"]
    assert {cause.record for cause in found.coverage_records} == {"census", "start"}
    assert "no longer: no full listing is recorded" in render(restatement_forms(found), "md")


def listing(number: int, when: str, *names: str) -> tuple[str, Record]:
    page = json.dumps([{"filename": name} for name in names]).encode()
    return when, files_record(REPO, number, [page], time=at("07-05"))


def test_a_changed_rule_is_a_rule_change_and_not_data(desk: Desk) -> None:
    desk.receive([listing(1, "07-25", "build/a.yml"), listing(2, "07-25", "tests/a.py")])
    desk.catch_up("08-01 06:00:00")
    old = desk.make(*JULY).report.exclusions.digest
    desk.configure("08-02", configured(ci=("ci/", "build/"), test=("tests/",)))
    desk.catch_up("08-03")
    found = desk.compare(*JULY, "08-01")
    assert [(each.number, each.cause.kind) for each in found.requests] == [(1, "rule")]
    new = desk.make(*JULY).report.exclusions.digest
    assert old[:12] in found.requests[0].cause.says
    assert new[:12] in found.requests[0].cause.says
    assert differences(found)["filtered", "opened"] == -1
    assert differences(found)["excluded", "ci-only"] == 1
    assert ("raw", "opened") not in differences(found)
    assert balanced(found)
    assert "## Other rules (1)" in render(restatement_forms(found), "md")


def test_rules_and_data_that_change_together_are_told_apart(desk: Desk) -> None:
    desk.receive([listing(1, "07-25", "build/a.yml")])
    desk.catch_up("08-01 06:00:00")
    desk.configure("08-02", configured(ci=("ci/", "build/"), test=("tests/",)))
    late = listing(2, "08-04", "tests/a.py")
    desk.receive([late])
    desk.catch_up("08-05")
    found = desk.compare(*JULY, "08-01")
    assert causes(found) == {(1, "rule", None), (2, "late record", late[1].id)}
    assert balanced(found)


def test_a_decision_of_a_person_is_named_by_its_record(desk: Desk) -> None:
    fact = TellingDecided(
        kind="exclusion", decided_at=at("08-02"), author="ada", value="ci-only", numbers=(2,)
    )
    desk.receive([decided("08-02", "decision", fact)])
    desk.catch_up("08-03")
    found = desk.compare(*JULY, "08-01")
    assert causes(found) == {(2, "curation", "decision")}
    assert differences(found)["excluded", "ci-only"] == 1
    assert balanced(found)
    assert "## Decisions (1)" in render(restatement_forms(found), "md")


def test_a_decision_that_was_taken_back_is_named_by_the_record_that_takes_it_back(
    desk: Desk,
) -> None:
    given = TellingDecided(
        kind="exclusion", decided_at=at("07-25"), author="ada", value="ci-only", numbers=(2,)
    )
    back = TellingDecided(
        kind="exclusion",
        decided_at=at("08-02"),
        author="ada",
        value=None,
        numbers=(2,),
        replaces=("decision",),
    )
    desk.receive([decided("07-25", "decision", given), decided("08-02", "back", back)])
    desk.catch_up("08-03")
    found = desk.compare(*JULY, "08-01")
    assert causes(found) == {(2, "curation", "back")}
    assert differences(found)["filtered", "opened"] == 1


def test_a_decision_is_the_cause_also_where_files_came_with_it(desk: Desk) -> None:
    fact = TellingDecided(
        kind="exclusion", decided_at=at("08-02"), author="ada", value="ci-only", numbers=(2,)
    )
    desk.receive([decided("08-02", "decision", fact), listing(2, "08-03", "tests/a.py")])
    desk.catch_up("08-04")
    assert causes(desk.compare(*JULY, "08-01")) == {(2, "curation", "decision")}


def test_where_the_earlier_cut_was_in_the_period_what_came_after_it_is_no_late_record(
    desk: Desk,
) -> None:
    desk.receive([("08-05", merge("late", 1, "07-06", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare(*JULY, "07-10")
    assert causes(found) == {(1, "late record", "late"), (3, "later event", "d")}
    assert balanced(found)
    assert "## Happened after the earlier cut (1)" in render(restatement_forms(found), "md")


def test_an_unknown_figure_stays_unexplained_only_where_it_is_unknown() -> None:
    desk = Desk()
    desk.configure("05-01", configured())
    desk.receive([created("06-01")])
    desk.receive([("07-02", pull_request("a", 1, "opened", "07-02"))])
    desk.catch_up("08-01")
    found = desk.compare(*JULY, "07-01 12:00:00")
    assert differences(found)["raw", "opened"] == 1
    assert causes(found) == {(1, "later event", "a")}
    with pytest.raises(InvalidQuestion, match="compare with what was known earlier"):
        desk.compare(*JULY, "07-20", known_at="07-10")


def test_the_json_lists_everything(desk: Desk) -> None:
    desk.receive([("08-05", merge("late", 1, "07-30", created_at="07-02"))])
    desk.catch_up("08-06")
    found = desk.compare(*JULY, "08-01")
    plain = json.loads(render(restatement_forms(found), "json"))
    assert plain["requests"][0]["number"] == found.requests[0].number
    merged = next(row for row in plain["changes"] if row["count"] == "merged")
    assert (merged["in"], merged["out"], merged["difference"]) == ([1], [], 1)
    with pytest.raises(InvalidQuestion, match="there are: md, txt, html, json"):
        render(restatement_forms(found), "csv")
