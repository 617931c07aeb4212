"""When a ledger can be said to balance: only while each of its terms is exact."""

import pytest

from events.record import Record
from services.answers.reports.answer import report_answer
from tests.answers import report_text
from tests.builders import merge, pull_request
from tests.clones import clone, commit
from tests.lab import Lab, created

OPENED = {"created_at": "01-02"}
DELIVERIES = [
    ("01-02", pull_request("a", 2, "opened", "01-02")),
    ("01-03", merge("b", 2, "01-03", **OPENED)),
]


#: Two landings, of which #1 is known from nothing else.
CLONE = clone(
    "01-04",
    [commit("a", "Start (#1)", "01-02"), commit("b", "Two (#2)", "01-03", "a")],
    branches={"main": "b"},
)


@pytest.mark.parametrize(
    "arrivals",
    [
        pytest.param([*DELIVERIES, *CLONE], id="a clone beside webhooks"),
        pytest.param(DELIVERIES, id="webhooks without a start"),
        pytest.param(CLONE, id="a clone alone"),
        pytest.param(
            [created(), ("01-03", merge("b", 2, "01-03", **OPENED)), *CLONE],
            id="a number without a record",
        ),
    ],
)
def test_lower_bounds_prove_no_balance_and_no_fault(arrivals: list[tuple[str, Record]]) -> None:
    report = Lab(arrivals).report("2026-01-01", "2026-02-01")
    assert report.ledger.balance is None
    assert report_answer(report).balance.balanced is None
    text = report_text(report, "md")
    assert "Balance: unknown." in text
    assert "report this as a fault" not in text


def test_exact_counts_balance() -> None:
    one = ("01-02", pull_request("o", 1, "opened", "01-02"))
    report = Lab([created(), one, *DELIVERIES]).report("2026-01-01", "2026-02-01")
    assert set(report.quality.values()) == {"exact"}
    assert report.ledger.balance == 0
