"""A class that a person gave comes before the rules, in the report as in the edition."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.facts.editions import TellingDecided
from events.sources.authored import author
from projections.store.snapshot import Snapshot
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.why import Why, why
from services.answers.reports.why_forms import why_answer, why_document
from services.documents import text as as_plain
from services.simulator import simulate
from tests.answers import report_text
from tests.builders import REPO, at, merge, pull_request
from tests.lab import Lab, created
from tests.services.answers.editions.desk import edition_of
from tests.services.answers.editions.folder import fill
from tests.services.api.test_questions import Api
from tests.services_fixtures import Run

JULY = ("2026-07-01", "2026-08-01")


def month() -> list[Any]:
    """Two requests merged in July, of which no files are recorded."""
    return [
        created(),
        ("07-02", pull_request("a", 1, "opened", "07-02", title="Move the release scripts")),
        ("07-03", pull_request("b", 2, "opened", "07-03", title="Speed up the loader")),
        ("07-08", merge("c", 1, "07-08", created_at="07-02", title="Move the release scripts")),
        ("07-09", merge("d", 2, "07-09", created_at="07-03", title="Speed up the loader")),
    ]


def decided(
    record_id: str, when: str, number: int, value: str | None, **fields: Any
) -> tuple[str, Any]:
    fact = TellingDecided(
        kind="exclusion",
        decided_at=at(when),
        author="ada",
        value=value,
        numbers=(number,),
        **fields,
    )
    return when, author(REPO, fact, time=at(when), record_id=record_id)


EXCLUDED = decided("decision", "08-02", 1, "ci-only", reason="it only moves scripts")


def asked(snapshot: Snapshot, number: int) -> Why:
    question = ReportQuestion(full_name="acme/widget", period=period(*JULY, "UTC"))
    return why(snapshot, question, number)


def test_lists_counts_and_reconciliation_of_the_report_are_those_of_the_edition() -> None:
    lab = Lab([*month(), EXCLUDED])
    report, edition = lab.report(*JULY), edition_of(lab.model)
    assert report.exclusions == edition.report.exclusions
    assert report.exclusions.filtered["merged"] == 1
    assert report.exclusions.table["ci-only"]["merged"] == 1
    assert report.reconciliation.excluded == edition.reconciliation.excluded
    assert report.reconciliation.excluded["ci-only"] == (1,)
    assert report.reconciliation.kept == edition.reconciliation.told == (2,)
    text = report_text(report, "md")
    assert "and by persons' decisions about #1." in text
    assert "CI-only 1" in text


def test_what_was_not_decided_yet_leaves_the_rules_alone() -> None:
    report = Lab([*month(), EXCLUDED]).report(*JULY, known_at="08-01")
    assert report.exclusions.filtered["merged"] == 2
    assert report.exclusions.decided == ()


def test_a_decision_that_was_taken_back_leaves_the_rules_alone() -> None:
    back = decided("back", "08-03", 1, None, replaces=("decision",))
    report = Lab([*month(), EXCLUDED, back]).report(*JULY)
    assert report.exclusions.filtered["merged"] == 2
    assert "persons' decisions" not in report_text(report, "md")


def test_why_names_who_decided_and_the_record() -> None:
    with Lab([*month(), EXCLUDED]).model.snapshot() as snapshot:
        answer = asked(snapshot, 1)
    assert (answer.told, answer.reason) == (False, "ci-only, as ada decided: it only moves scripts")
    shown = msgspec.json.decode(msgspec.json.encode(why_answer(answer)))["classified"]
    assert shown["rules"] == ["decided by a person"]
    assert shown["decision"] == {
        "record": "decision",
        "author": "ada",
        "reason": "it only moves scripts",
    }
    assert "decision" in shown["records"]
    assert "decided: ci-only: record decision\n" in as_plain.render(why_document(answer))


def test_why_a_request_is_kept_names_the_decision_too() -> None:
    kept = decided("kept", "08-02", 2, "kept")
    with Lab([*month(), kept]).model.snapshot() as snapshot:
        answer = asked(snapshot, 2)
    assert answer.told is True
    assert answer.reason == "it was merged in the period and is kept, as ada decided"
    assert answer.report.exclusions.doubtful[0].number == 1


def test_json_lists_the_decided_requests() -> None:
    report = report_text(Lab([*month(), EXCLUDED]).report(*JULY), "json")
    (one,) = json.loads(report)["decided_requests"]
    assert (one["number"], one["class"], one["decision"]["record"]) == (1, "ci-only", "decision")


def test_the_api_applies_decisions_in_reports_and_in_why() -> None:
    api = Api(simulate(5, pulls=4, days=30))
    api.model = Lab([*month(), EXCLUDED]).model
    widget, client = "/v1/repositories/acme/widget", api.client()
    report = client.get(f"{widget}/report", params={"from": JULY[0], "to": JULY[1]}).json()
    edition = client.get(f"{widget}/edition", params={"period": "2026-07"}).json()
    assert report["exclusions"] == edition["exclusions"]
    assert report["filtered"] == edition["filtered"]
    assert report["reconciliation"]["excluded"]["ci-only"] == [1]
    told = client.get(f"{widget}/pulls/1/why", params={"period": "2026-07"}).json()
    assert told["classified"]["decision"]["author"] == "ada"


@pytest.fixture
def widget(shipledger: Run, data: Path) -> Run:
    fill(data, month())
    return shipledger


def test_the_commands_agree_after_a_person_decided(widget: Run) -> None:
    july = ("acme/widget", "--from", JULY[0], "--to", JULY[1])
    before = json.loads(widget("report", *july, "--json").stdout)
    assert before["reconciliation"]["excluded"]["ci-only"] == []
    done = widget("curate", "exclude", "acme/widget", "1", "ci-only", "--author", "ada")
    assert done.exit_code == 0, done.output
    report = json.loads(widget("report", *july, "--json").stdout)
    edition = json.loads(
        widget("edition", "acme/widget", "--period", "2026-07", "--format", "json").stdout
    )
    for key in ("exclusions", "filtered", "filtered_quality", "decided_requests"):
        assert report[key] == edition[key], key
    said = widget("why", "acme/widget", "1", "--period", "2026-07").stdout
    assert "• why: ci-only, as ada decided" in said
    assert "The edition does not tell #1: ci-only." in said
    compared = json.loads(
        widget("report", *july, "--json", "--compare-known-at", before["known_at"]).stdout
    )
    (moved,) = compared["requests"]
    assert moved["number"] == 1
    assert moved["cause"]["kind"] == "curation"
    assert moved["cause"]["record"] in done.output
