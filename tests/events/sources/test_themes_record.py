"""The record of a theme assignment: its golden file is never changed."""

from events.facts.editions import AssignedTheme, ThemesAssigned
from events.record import Record
from events.translate import translate
from tests.places import PAYLOADS

GOLDEN = PAYLOADS / "authored" / "themes__v1.json"


def test_the_first_version_is_still_read() -> None:
    record = Record(
        id="r1",
        repository="github.com/1001",
        source="configuration",
        type="shipledger.themes",
        body=GOLDEN.read_bytes(),
    )
    assert translate(record).facts == (
        ThemesAssigned(
            start=1_782_835_200_000_000,
            end=1_785_513_600_000_000,
            inputs="d0",
            themes=(
                AssignedTheme(
                    name="MoE: Router", numbers=(4, 7), how="cluster", terms=("moe", "router")
                ),
                AssignedTheme(name="Inference", numbers=(9,), how="rule"),
            ),
            left_over=(11,),
        ),
    )
