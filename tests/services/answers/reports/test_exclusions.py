"""What a report says of exclusions: line, table, JSON, reconciliation, definitions, and why."""

import json

import msgspec
import pytest

from events.errors import NotFound
from events.facts.git import Commit
from events.record import Record
from events.sources.git_history import commits_record
from projections.period_ledger.counting import DEFINITIONS
from services.answers.questions.period import period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.why import Why, why
from services.answers.reports.why_forms import why_answer, why_document
from services.documents import text as as_plain
from tests.answers import report_text
from tests.builders import REPO, at, close, merge, pull_request
from tests.lab import Lab, created

JULY = ("2026-07-01", "2026-08-01")
PATHS = {
    1: ["src/a.py", "tests/test_a.py"],
    2: ["tests/test_b.py"],
    3: [".github/workflows/a.yml"],
    4: [".gitlab-ci.yml", "tests/test_c.py"],
    5: ["docs/a.md"],
}


def sha(number: int) -> str:
    return f"{number:040x}"


def commit(number: int, paths: list[str]) -> Commit:
    return Commit(
        sha=sha(number),
        parents=(sha(99),),
        authored_at=at("07-05"),
        committed_at=at("07-05"),
        author="Ada",
        subject=f"Work (#{number})",
        paths=tuple(paths),
    )


def arrivals() -> list[tuple[str, Record]]:
    commits = [commit(number, paths) for number, paths in PATHS.items()]
    found = [created(), ("07-06", commits_record(REPO, commits, time=at("07-06")))]
    found += [
        ("07-02", pull_request(f"o{number}", number, "opened", "07-02"))
        for number in (*PATHS, 6, 7)
    ]
    found += [
        ("07-05", merge(f"m{number}", number, "07-05", merge_commit_sha=sha(number)))
        for number in PATHS
    ]
    return [*found, ("07-07", close("c6", 6, "07-07"))]


@pytest.fixture(scope="module")
def lab() -> Lab:
    return Lab(sorted(arrivals(), key=lambda each: at(each[0])))


def asked(lab: Lab, number: int) -> Why:
    question = ReportQuestion(full_name="acme/widget", period=period(*JULY, "UTC"))
    with lab.model.snapshot() as snapshot:
        return why(snapshot, question, number)


def test_the_second_line_is_the_one_that_is_published(lab: Lab) -> None:
    lines = report_text(lab.report(*JULY), "md").splitlines()
    assert lines[5] == (
        "- Excluded from the narrative: test-only 1, CI-only 1, test/CI-only 1, format-only 0."
    )


def test_raw_and_filtered_stand_side_by_side(lab: Lab) -> None:
    text = report_text(lab.report(*JULY), "md")
    assert "| merged | 5 | 2 |" in text
    assert "| opened | 7 | at most 4 |" in text
    assert "Kept because no complete list of files is recorded: #6, #7." in text
    assert "- Merged 5 = kept 2 + excluded 3." in text
    (kept,) = [line for line in text.splitlines() if line.startswith("  - kept: ")]
    assert kept.count("#") == 2
    assert "  - test/CI-only: #4" in text


def test_the_json_has_classes_counts_basis_and_evidence(lab: Lab) -> None:
    report = lab.report(*JULY)
    document = json.loads(report_text(report, "json"))
    assert document["exclusions"]["test-only"] == {"merged": 1, "closed": 0, "open": 0}
    assert list(document["exclusions"]) == [
        "ci-only",
        "test-only",
        "test-and-ci-only",
        "format-only",
    ]
    assert list(document["filtered"]) == list(document["counts"]) == list(DEFINITIONS)
    assert (document["filtered"]["merged"], document["filtered_quality"]["merged"]) == (2, "exact")
    assert document["filtered_quality"]["open_at_end"] == "at_most"
    assert document["basis"]["rules"] == report.exclusions.digest
    evidence = {each["number"]: each for each in document["excluded_requests"]}
    assert set(evidence) == {2, 3, 4}
    assert [path["is"] for path in evidence[4]["paths"]] == ["ci", "test"]
    assert evidence[4]["rules"] == ["GitLab CI", "test folders"]
    assert evidence[4]["commits"] == [sha(4)]
    assert len(evidence[4]["records"]) == 1
    assert [each["number"] for each in document["kept_without_proof"]] == [6, 7]
    parts = document["reconciliation"]
    excluded = sum(map(len, parts["excluded"].values()))
    assert parts["merged"] == excluded + len(parts["kept"]) == 5
    assert list(parts) == ["merged", "kept", "excluded"], "themes alone know what is told"


def test_every_count_is_defined_with_its_search(lab: Lab) -> None:
    report = lab.report(*JULY)
    text = report_text(report, "md", defined=True)
    for name, meaning in DEFINITIONS.items():
        assert f"**{name.replace('_', ' ')}**" in text
        assert meaning in text
    merged = "is:merged merged:2026-07-01T00:00:00Z..2026-07-31T23:59:59Z"
    assert f"`repo:acme/widget is:pr {merged}`" in text
    assert "at most 4" in text


@pytest.mark.parametrize(
    ("number", "told", "reason"),
    [
        (1, True, "no rule takes src/a.py"),
        (2, False, "test-only: all of its paths are taken by the rule test folders"),
        (4, False, "by the rules GitLab CI, test folders"),
        (6, False, "closed without merge"),
        (7, True, "no complete list of its files is recorded"),
    ],
)
def test_why_names_the_rule_or_the_path(lab: Lab, number: int, told: bool, reason: str) -> None:
    answer = asked(lab, number)
    assert answer.told is told
    assert reason in answer.reason
    assert answer.reason in as_plain.render(why_document(answer))
    document = msgspec.to_builtins(why_answer(answer))
    assert (document["told"], document["number"]) == (told, number)
    assert document["rules"] in as_plain.render(why_document(answer))


def test_why_shows_counts_paths_and_records(lab: Lab) -> None:
    text = as_plain.render(why_document(asked(lab, 4)))
    assert "counted: merged: merged in the period; 2026-07-05 00:00 UTC [main], record m4" in text
    assert "path: .gitlab-ci.yml: ci by GitLab CI (**/.gitlab-ci*.{yml,yaml})" in text
    assert "files: whole, from its landing" in text


def test_why_of_another_month_is_not_in_question(lab: Lab) -> None:
    question = ReportQuestion(
        full_name="acme/widget", period=period("2026-05-01", "2026-06-01", "UTC")
    )
    with lab.model.snapshot() as snapshot:
        answer = why(snapshot, question, 2)
    assert (answer.told, answer.entries) == (None, {})
    assert "nothing happened" in answer.reason
    assert "in none of the period's counts" in as_plain.render(why_document(answer))


def test_why_of_a_number_of_which_nothing_is_recorded_is_not_found(lab: Lab) -> None:
    with pytest.raises(NotFound):
        asked(lab, 4711)


def test_why_prints_twenty_paths_and_how_many_more() -> None:
    def paths_of(count: int) -> tuple[list[str], int]:
        commits = [commit(1, [f"tests/test_{nth:03}.py" for nth in range(count)])]
        merged = merge("m1", 1, "07-05", merge_commit_sha=sha(1), created_at="07-02")
        record = commits_record(REPO, commits, time=at("07-06"))
        lab = Lab([created(), ("07-05", merged), ("07-06", record)])
        answer = asked(lab, 1)
        lines = [
            line
            for line in as_plain.render(why_document(answer)).splitlines()
            if line.startswith("• path")
        ]
        return lines, len(msgspec.to_builtins(why_answer(answer))["classified"]["paths"])

    lines, listed = paths_of(200)
    assert len(lines) == 21
    assert "tests/test_019.py" in lines[19]
    assert lines[20] == "• path: … and 180 paths more; --json lists each"
    assert listed == 200
    assert len(paths_of(20)[0]) == 20
