"""What may be published: nothing that claims more than it holds."""

import pytest

from events.errors import InvalidQuestion
from services.authoring.publishing.publish import check_publishable
from tests.builders import merge, pull_request
from tests.lab import Lab, created, heard
from tests.services.answers.editions.desk import edition_of


def test_a_final_edition_has_no_gaps_whatever_is_asked() -> None:
    lab = Lab(
        [
            created(),
            ("07-02", pull_request("a", 1, "opened", "07-02")),
            ("07-09", merge("b", 1, "07-09", created_at="07-02")),
            heard(),
        ]
    )
    check_publishable(edition_of(lab.model), ["en"], "seed", with_gaps=True)
    final = edition_of(lab.model, stage="final")
    with pytest.raises(InvalidQuestion, match=r"person: 2 .*not Final; .*without --final"):
        check_publishable(final, ["en"], "seed", with_gaps=True)
