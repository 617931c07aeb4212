"""Of which automation, carriers and stacked."""

from typing import Any

from services.answers.reports.of_which import Parts, of_which, sentence
from tests.builders import merge_commit, pull_request
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
    assert parts["opened"] == Parts(automation=1, carriers=None, stacked=1)
    assert parts["merged"] == Parts(automation=0, carriers=None, stacked=0)
    assert sentence(report, "opened") == "automation 1, stacked 1"


def test_a_deleted_account_leaves_automation_unknown() -> None:
    lab = Lab([created(), ("07-02", pull_request("a", 1, "opened", "07-02", user=None))])
    report = lab.report("2026-07-01", "2026-08-01")
    assert of_which(report)["opened"].automation is None
    assert merge_commit("07-02").fact.author_is_bot is None
