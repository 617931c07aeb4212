"""A month of which all was known at its end."""

import pytest

from tests.builders import close, pull_request
from tests.lab import created
from tests.services.audit.receipts.desk import Desk, configured


@pytest.fixture
def desk() -> Desk:
    """Three requests opened in July; all that was known by its end."""
    made = Desk()
    made.configure("05-01", configured(ci=("ci/",), test=("tests/",)))
    made.receive(
        [
            created("06-01"),
            ("07-02", pull_request("a", 1, "opened", "07-02")),
            ("07-03", pull_request("b", 2, "opened", "07-03")),
            ("07-04", pull_request("c", 3, "opened", "07-04")),
            ("07-20", close("d", 3, "07-20", created_at="07-04")),
        ]
    )
    made.catch_up("08-01 06:00:00")
    return made
