"""A whole roadmap of 46 items, line by line against a table that was read by eye."""

import csv
from pathlib import Path

from projections.roadmap_status.items.item import Item, Roadmap
from projections.roadmap_status.items.links import LinkKind, LinkRole
from projections.roadmap_status.items.parse import read_roadmap
from projections.roadmap_status.reading import Reader
from tests.projections.roadmap_status.reading_roadmaps import numbers, told

HERE = Path(__file__).parent


def read_q3() -> Roadmap:
    return read_roadmap((HERE / "q3.md").read_text(), Reader.of("NVIDIA/Megatron-LM"))


def row(item: Item) -> dict[str, str]:
    on = f" on {' '.join(item.claim.branches)}" if item.claim.branches else ""
    return {
        "item": item.title,
        "section": item.section[-1],
        "claim": f"{item.claim.state}{on}",
        "implementing": " ".join(numbers(item, LinkRole.IMPLEMENTING)),
        "tracking": " ".join(numbers(item, LinkRole.TRACKING)),
        "mention": " ".join(numbers(item, LinkRole.MENTION)),
        "said": "; ".join(told(claim) for claim in item.link_claims),
    }


def test_all_46_items_have_their_links_and_claims() -> None:
    with (HERE / "q3_expected.csv").open(newline="") as file:
        expected = list(csv.DictReader(file))
    assert len(expected) == 46
    assert [row(item) for item in read_q3().walk()] == expected


def test_what_is_no_item_is_kept_too() -> None:
    read = read_q3()
    assert not read.cautions
    assert [(str(link.reference), link.kind) for link in read.loose] == [
        ("#4997", LinkKind.ROADMAP),
        ("#6757", LinkKind.ROADMAP),
        ("#6812", LinkKind.ROADMAP),
    ]
    assert set(read.legend.definitions) == {"delivered on main", "delivered on dev", "*"}
    assert sum(item.flag == "*" for item in read.walk()) == 2
    nested = [child.title for item in read.items for child in item.children]
    assert nested == [
        "MOK implementation",
        "GDN architecture and parallelism",
        "Fused GDN attention",
        "GDN2",
    ]
