"""Of which automation, carriers and stacked."""

from typing import Any

from services.answers.reports.answer import report_answer
from services.answers.reports.of_which import Parts, of_which, sentence
from tests.answers import report_text
from tests.builders import merge, merge_commit, pull_request
from tests.lab import Lab, created

BOT = {"login": "depbot[bot]", "type": "Bot"}
STACKED: dict[str, Any] = {"base": {"ref": "topic", "repo": {"id": 1001}}}


def test_bots_and_stacked_requests_are_parts_of_a_count() -> None:
    lab = Lab(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02")),
            ("07-03", pull_request("b", 2, "opened", "07-03", user=BOT)),
            ("07-04", pull_request("c", 3, "opened", "07-04", **STACKED)),
        ]
    )
    report = lab.report("2026-07-01", "2026-08-01")
    parts = of_which(report)
    assert parts["opened"] == Parts(
        automation=1,
        people=2,
        author_unknown=0,
        merged_by_bots=None,
        merged_by_people=None,
        merger_unknown=None,
        carriers=None,
        stacked=1,
    )
    assert (parts["merged"].automation, parts["merged"].stacked) == (0, 0)
    assert sentence(report, "opened") == "automation 1, stacked 1"


def test_a_deleted_account_leaves_automation_unknown() -> None:
    lab = Lab([created(), ("07-02", pull_request("a", 1, "opened", "07-02", user=None))])
    report = lab.report("2026-07-01", "2026-08-01")
    assert of_which(report)["opened"].automation is None
    assert merge_commit("07-02").fact.author_is_bot is None


def test_one_unknown_author_leaves_the_others_known() -> None:
    lab = Lab(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02", user={"login": "old-ghes"})),
            ("07-03", pull_request("b", 2, "opened", "07-03", user=BOT)),
            ("07-04", pull_request("c", 3, "opened", "07-04")),
            ("07-05", pull_request("d", 4, "opened", "07-05", user=None)),
        ]
    )
    report = lab.report("2026-07-01", "2026-08-01")
    parts = of_which(report)["opened"]
    assert (parts.automation, parts.people, parts.author_unknown) == (1, 1, 2)
    assert sentence(report, "opened") == "automation 1, people 1, authors unknown 2, stacked 0"


def test_who_merged_stands_beside_the_author() -> None:
    opened: dict[str, Any] = {"created_at": "07-01"}
    person = {"login": "dev-b", "type": "User"}
    lab = Lab(
        [
            created(),
            ("07-02", merge("a", 1, "07-02", merged_by=BOT, **opened)),
            ("07-03", merge("b", 2, "07-03", merged_by=person, **opened)),
            ("07-04", merge("c", 3, "07-04", **opened)),
        ]
    )
    report = lab.report("2026-07-01", "2026-08-01")
    parts = of_which(report)["merged"]
    assert (parts.merged_by_bots, parts.merged_by_people, parts.merger_unknown) == (1, 1, 1)
    assert [row.merged_by for row in report_answer(report).ledger["merged"]] == [
        "depbot[bot]",
        "dev-b",
        None,
    ]
    assert "dev-a, merged by dev-b" in report_text(report, "md")
