"""What a draft says on standard error of what waits."""

import msgspec
import pytest

from projections.period_ledger.change_groups.members import Kind, Pair
from services.cli.edition import tell_what_waits
from tests.lab import Lab, created
from tests.services.answers.editions.desk import edition_of


@pytest.mark.parametrize(
    ("numbers", "says"),
    [((2,), "1 pair may be one change; "), ((2, 3), "2 pairs may be one change; ")],
)
def test_pairs_that_may_be_one_change_are_counted(
    capsys: pytest.CaptureFixture[str], numbers: tuple[int, ...], says: str
) -> None:
    pairs = tuple(
        Pair(number=number, origin=1, kind=Kind.PORT, method="title", confidence=0.5, certain=False)
        for number in numbers
    )
    tell_what_waits(msgspec.structs.replace(edition_of(Lab([created()]).model), uncertain=pairs))
    assert f"\n{says}" in capsys.readouterr().err
