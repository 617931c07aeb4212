"""Ids stay the same across edits, and how each item was recognised is kept."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.roadmap_status.editions.identity import Match, match
from projections.roadmap_status.editions.pairing import IdentifiedItem, Method
from projections.roadmap_status.items.item import Item
from tests.laws import tried
from tests.projections.roadmap_status.reading_roadmaps import roadmap


def versions(*texts: str) -> list[tuple[Match, ...]]:
    """Give ids to the items of one version after the other."""
    known: Sequence[IdentifiedItem] = ()
    found = []
    for text in texts:
        matches = match("r", known, roadmap(text).items)
        known = [one.known for one in matches]
        found.append(matches)
    return found


def ids(matches: Sequence[Match]) -> dict[str, str]:
    return {one.item.title: one.id for one in matches}


@pytest.mark.parametrize(
    ("before", "after", "method"),
    [
        ("- Parser #1", "- Parser #1 — done", Method.SAME),
        ("- Parser #1", "- A much better name #1", Method.LINKS),
        ("- Parser #1 #2", "- Something else #2 #3", Method.LINKS),
        ("- Fast parser for long texts", "- A fast parser for long texts", Method.TEXT),
        ("- Parser for texts", "- Parser for texts #7", Method.TEXT),
        ("# A\n\n- Parser #1", "# B\n\n- Parser #1", Method.SAME),
        ("- Parser #1", "- Group\n  - [ ] Parser #1", Method.SAME),
        ("- Import [1/2] #1", "- Import [1/3] #1", Method.SAME),
    ],
)
def test_an_edit_keeps_the_id(before: str, after: str, method: Method) -> None:
    old, new = versions(before, after)
    kept = next(one for one in new if one.id == old[0].id)
    assert kept.method is method
    assert kept.before == old[0].item.title
    assert kept.score > 0


def test_what_is_told_apart_by_links_is_not_joined_by_a_similar_title() -> None:
    old, new = versions("- Support CUDA graphs for A #1", "- Support CUDA graphs for B #2")
    assert new[0].id != old[0].id
    assert new[0].method is Method.NEW


def test_a_split_keeps_the_id_with_the_larger_part_and_names_the_origin() -> None:
    old, new = versions("- Parser #1 #2 #3", "- Parser core #1 #2\n- Parser tests #3")
    assert new[0].id == old[0].id
    assert new[1].method is Method.NEW
    assert new[1].split_from == old[0].id
    assert new[0].shared == ("#1", "#2")


def test_equal_titles_in_two_sections_stay_where_they_are() -> None:
    text = "# A\n\n- Docs\n\n# B\n\n- Docs\n"
    old, new = versions(text, "# B\n\n- Docs\n\n# A\n\n- Docs\n")
    assert [one.id for one in new] == [one.id for one in reversed(old)]


def test_what_comes_back_gets_no_id_of_something_else() -> None:
    first, second, third = versions(
        "- Parser #1", "- Reader of texts #1", "- Reader of texts #1\n- Parser #9"
    )
    assert first[0].id == second[0].id == third[0].id
    assert third[1].id != first[0].id


def test_two_roadmaps_share_no_ids() -> None:
    items = roadmap("- Parser #1").items
    assert match("a", (), items)[0].id != match("b", (), items)[0].id


NAMES = ("parser", "reader", "graph", "cache", "import", "export", "fast", "slow", "main")
WORDS = st.sampled_from(NAMES)
LINES = st.lists(
    st.tuples(
        st.lists(WORDS, min_size=1, max_size=4).map(" ".join),
        st.lists(st.integers(1, 12), max_size=3),
        st.integers(0, 2),
    ),
    max_size=12,
)


def written(lines: list[tuple[str, list[int], int]]) -> str:
    return "\n".join(
        f"{'  ' * depth}- [ ] {title} {' '.join(f'#{n}' for n in links)}"
        for title, links, depth in lines
    )


@tried(60)
@given(LINES, LINES)
def test_ids_are_unique_and_the_same_version_keeps_all_of_them(
    first: list[tuple[str, list[int], int]], second: list[tuple[str, list[int], int]]
) -> None:
    one, two, again = versions(written(first), written(second), written(second))
    for matches in (one, two, again):
        assert len({each.id for each in matches}) == len(matches)
    assert [each.id for each in two] == [each.id for each in again]
    assert all(each.method is Method.SAME for each in again)
    assert versions(written(first), written(second))[1] == two


@tried(60)
@given(LINES, LINES, st.integers(0, 2**16))
def test_the_order_of_items_does_not_decide_their_ids(
    first: list[tuple[str, list[int], int]], second: list[tuple[str, list[int], int]], seed: int
) -> None:
    def distinct(text: str) -> list[Item]:
        items = {(i.title, tuple(sorted(str(k.reference) for k in i.links))): i
                 for i in roadmap(text).walk()}  # fmt: skip
        return [_alone(item) for item in items.values()]

    olds, news = distinct(written(first)), distinct(written(second))
    known = [one.known for one in match("r", (), olds)]
    shuffled = random.Random(seed)
    mixed_known, mixed = list(known), list(news)
    shuffled.shuffle(mixed_known)
    shuffled.shuffle(mixed)
    assert _by_item(match("r", known, news)) == _by_item(match("r", mixed_known, mixed))


def _alone(item: Item) -> Item:
    return Item(title=item.title, links=item.links)


def _by_item(matches: Sequence[Match]) -> dict[tuple[str, tuple[str, ...]], str]:
    return {
        (one.item.title, tuple(sorted(str(k.reference) for k in one.item.links))): one.id
        for one in matches
    }
