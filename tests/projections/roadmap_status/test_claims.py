"""What an item claims, by its words, marks, box, columns, and its document's legend."""

from datetime import date

import pytest

from projections.roadmap_status.words.dates import StatedDate
from projections.roadmap_status.words.phrases import Phrases, StatedRelease
from projections.roadmap_status.words.states import Marks, State
from tests.projections.roadmap_status.reading_roadmaps import only, roadmap


@pytest.mark.parametrize(
    ("text", "state", "branches", "title"),
    [
        ("**A** — delivered on main - It is open", State.DELIVERED, ("main",), "A"),
        ("A — delivered on `dev` - b", State.DELIVERED, ("dev",), "A"),
        ("A — foundations delivered on main and dev - b",
         State.FOUNDATION_DELIVERED, ("main", "dev"), "A"),
        ("A — experimental, in progress - b", State.IN_PROGRESS, (), "A"),
        ("A — recipe DSL in progress - b", State.IN_PROGRESS, (), "A"),
        ("A — proposed implementation closed, unmerged - b", State.CLOSED_UNMERGED, (), "A"),
        ("A — delivered, docs in progress - b", State.PARTLY_DELIVERED, (), "A"),
        ("A — planned", State.PLANNED, (), "A"),
        ("A — reverted - b", State.REVERTED, (), "A"),
        ("A - Support for x and y is delivered. More", State.NONE, (), "A"),
        ("A - b", State.NONE, (), "A"),
        ("Import of delivered goods", State.NONE, (), "Import of delivered goods"),
        ("Open the gate", State.NONE, (), "Open the gate"),
        ("the port remains open", State.OPEN, (), "the port"),
        ("A (WIP) #6", State.IN_PROGRESS, (), "A"),
        ("[Done] A #6", State.DELIVERED, (), "A"),
        ("Done: A", State.DELIVERED, (), "A"),
        ("A - b ✅", State.DELIVERED, (), "A"),
        ("A\nStatus: in progress", State.IN_PROGRESS, (), "A"),
        ("~~A #12~~", State.DROPPED, (), "A"),
        ("~~planned~~ A — done", State.DELIVERED, (), "planned A"),
        ("A `done` flag", State.NONE, (), "A done flag"),
        ("支持 A：已在 dev 交付", State.DELIVERED, ("dev",), "支持 A"),
        ("A 功能（已合入 main 和 dev 分支）#7", State.DELIVERED, ("main", "dev"), "A 功能"),
        ("A 功能 — 尚未完成", State.NOT_DONE, (), "A 功能"),
        ("A 功能 — 部分完成", State.PARTLY_DELIVERED, (), "A 功能"),
        ("A 功能 — 进行中 - 说明", State.IN_PROGRESS, (), "A 功能"),
        ("A 功能 — 计划中", State.PLANNED, (), "A 功能"),
        ("A 功能 — 已回滚", State.REVERTED, (), "A 功能"),
    ],
)  # fmt: skip
def test_a_status_is_read_only_where_a_status_stands(
    text: str, state: State, branches: tuple[str, ...], title: str
) -> None:
    item = only("- " + text.replace("\n", "\n  "))
    assert (item.claim.state, item.claim.branches, item.title) == (state, branches, title)


def test_words_go_before_the_box_and_the_contradiction_is_told() -> None:
    item = only("- [x] A — in progress")
    assert item.claim.state is State.IN_PROGRESS
    assert item.claim.contradicts_itself
    assert not only("- [x] A — done").claim.contradicts_itself


def test_releases_are_kept_apart_by_target_and_inclusion() -> None:
    item = only("- A — shipped in 0.19 - The rest is targeted for core_v0.20.1.")
    assert item.claim.state is State.DELIVERED
    assert item.claim.releases == (
        StatedRelease("0.19", target=False),
        StatedRelease("core_v0.20.1", target=True),
    )
    assert not only("- A — done - in 4.7–12.1% of cases").claim.releases


def test_a_row_of_a_table_with_a_status_column_is_an_item() -> None:
    text = "|Feature|Status|Owner|PR|\n|-|-|-|-|\n|A|🚧 in review|@x, y|#1|\n|B|[x]|z|#2|\n|C||||\n"
    items = list(roadmap(text).walk())
    assert [item.title for item in items] == ["A", "B", "C"]
    assert [item.claim.state for item in items] == [State.IN_PROGRESS, State.DELIVERED, State.NONE]
    assert items[0].owners == ("x", "y")
    assert items[0].columns[1] == ("Status", "🚧 in review")


def test_other_tables_give_links_and_no_items() -> None:
    read = roadmap("|Name|PR|\n|-|-|\n|done|#1|\n")
    assert not read.items
    assert [str(link.reference) for link in read.references] == ["#1"]


def test_the_documents_own_legend_goes_before_the_common_meaning() -> None:
    text = "Legend: 🚀 planned · 🟢 = shipped · 🦄 is magic\n\n- 🚀 A\n- 🟢 B\n- 🦄 C\n- ✅ D\n"
    states = [item.claim.state for item in roadmap(text).walk()]
    assert states == [State.PLANNED, State.DELIVERED, State.NONE, State.DELIVERED]


def test_a_legend_in_a_list_is_no_list_of_items() -> None:
    for name in ("## Legend", "Legend:", "图例："):
        read = roadmap(f"{name}\n\n- 📋 in progress\n\n## Plan\n\n- 📋 A\n")
        items = [(item.title, item.claim.state) for item in read.walk()]
        assert items == [("A", State.IN_PROGRESS)], name


def test_configured_words_and_marks_are_known() -> None:
    phrases = Phrases(words={"baked": State.DELIVERED}, marks=Marks({"🍞": State.PLANNED}))
    assert only("- A — baked", phrases).claim.state is State.DELIVERED
    assert only("- 🍞 A", phrases).claim.state is State.PLANNED


@pytest.mark.parametrize(
    ("said", "written", "meant"),
    [
        (StatedDate(10, 9), date(2026, 10, 15), date(2026, 10, 9)),
        (StatedDate(12, 30), date(2027, 1, 2), date(2026, 12, 30)),
        (StatedDate(2, 29), date(2025, 3, 1), date(2024, 2, 29)),
        (StatedDate(5, 1, 2020), date(2026, 3, 1), date(2020, 5, 1)),
    ],
)
def test_a_day_without_a_year_is_the_nearest_one(
    said: StatedDate, written: date, meant: date
) -> None:
    assert said.near(written) == meant
