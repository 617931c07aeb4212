"""Which requests are one change, and which wait for a person."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.period_ledger.change_groups.grouping import Grouping, group
from projections.period_ledger.change_groups.members import Decision, Kind, Member, Pair
from tests.projections.period_ledger.change_groups.builders import member, members, related

TITLE = "Tune the token router for packed sequences"
PATHS = ("src/router.py", "src/pack.py")


def grouped(*given: Member, decisions: Sequence[Decision] = ()) -> Grouping:
    found = members(*given)
    return group(found, related(found).pairs, decisions)


def groups_of(found: Grouping) -> list[tuple[int, ...]]:
    return [one.numbers for one in found.groups if len(one.numbers) > 1]


CERTAIN = {
    "a port that its text names": (
        member(1, base="dev"),
        member(2, text="Dev PR: #1"),
    ),
    "an equal patch on another branch": (
        member(1, base="dev", patches=frozenset({"p"})),
        member(2, patches=frozenset({"p"})),
    ),
    "equal titles with equal paths by others": (
        member(1, f"[Dev] {TITLE}", base="dev", paths=PATHS),
        member(2, f"[main] {TITLE}", paths=PATHS),
    ),
    "equal titles with half the paths by one author": (
        member(1, TITLE, base="dev", paths=PATHS, author="a"),
        member(2, TITLE, paths=(*PATHS, "src/more.py"), author="a"),
    ),
    "a resubmission on the same branch": (
        member(1, TITLE),
        member(2, f'Reapply "{TITLE} (#1)"'),
    ),
}

WAITING = {
    "a port onto the branch where the change is": (
        member(1),
        member(2, text="Port of #1"),
    ),
    "words that name another branch": (
        member(1, base="dev"),
        member(2, base="core_r1", text="Main PR: #1"),
    ),
    "equal titles without known paths": (
        member(1, TITLE, base="dev", author="a"),
        member(2, TITLE, author="a"),
    ),
    "equal titles with few common paths": (
        member(1, TITLE, base="dev", paths=PATHS),
        member(2, TITLE, paths=("src/router.py", "src/b.py")),
    ),
    "near titles": (
        member(1, TITLE, base="dev", paths=PATHS),
        member(2, f"{TITLE} on one node", paths=PATHS),
    ),
    "a short title": (
        member(1, "Update golden values", base="dev", paths=PATHS),
        member(2, "Update golden values", paths=PATHS),
    ),
    "an equal patch on the same branch": (
        member(1, patches=frozenset({"p"})),
        member(2, patches=frozenset({"p"})),
    ),
}

NOTHING = {
    "a revert": (member(1, TITLE), member(2, f'Revert "{TITLE} (#1)"')),
    "a revert on another branch": (
        member(1, TITLE, base="dev", paths=PATHS),
        member(2, f'Revert "{TITLE} (#1)"', paths=PATHS),
    ),
    "parts of a series": (
        member(1, f"{TITLE} (1/2)", base="dev", paths=PATHS),
        member(2, f"{TITLE} (2/2)", paths=PATHS),
    ),
    "versions of a dependency": (
        member(1, "Bump widget-dep from 1.2 to 1.3", base="dev", paths=PATHS),
        member(2, "Bump widget-dep from 1.3 to 1.4", paths=PATHS),
    ),
    "equal titles long after": (
        member(1, TITLE, base="dev", paths=PATHS),
        member(300, TITLE, paths=PATHS),
    ),
    "a stack on the request's own branch": (
        member(1, TITLE, paths=PATHS),
        member(2, TITLE, base="dev-1/topic", role="stacked", paths=PATHS),
    ),
    "a number that nobody knows": (member(2, text="Dev PR: #1"),),
    "a mention in passing": (member(1, base="dev"), member(2, text="See #1.")),
}


@pytest.mark.parametrize("given", CERTAIN.values(), ids=CERTAIN)
def test_one_change(given: tuple[Member, ...]) -> None:
    found = grouped(*given)
    assert groups_of(found) == [tuple(one.number for one in given)]
    assert found.review == ()


@pytest.mark.parametrize("given", WAITING.values(), ids=WAITING)
def test_it_waits_for_a_person_who_may_confirm_it(given: tuple[Member, ...]) -> None:
    found = grouped(*given)
    assert groups_of(found) == []
    (waiting,) = found.review
    assert waiting.doubt
    assert waiting.confidence <= 0.5
    said = Decision(number=waiting.origin, origin=waiting.number, holds=True)
    assert groups_of(grouped(*given, decisions=[said])) == [(given[0].number, given[1].number)]
    said = Decision(number=waiting.number, origin=waiting.origin, holds=False)
    assert grouped(*given, decisions=[said]).review == ()


@pytest.mark.parametrize("given", NOTHING.values(), ids=NOTHING)
def test_nothing_ties_them(given: tuple[Member, ...]) -> None:
    found = grouped(*given)
    assert (groups_of(found), found.review) == ([], ())


@pytest.mark.parametrize(("revert", "again", "back"), [(2, 3, True), (3, 2, False)])
def test_an_equal_patch_on_one_branch_is_a_resubmission_if_a_revert_lies_between(
    revert: int, again: int, back: bool
) -> None:
    found = grouped(
        member(1, TITLE, patches=frozenset({"p"})),
        member(revert, f'Revert "{TITLE} (#1)"'),
        member(again, "In other words", patches=frozenset({"p"})),
    )
    assert groups_of(found) == ([(1, again)] if back else [])
    (pair,) = found.group_of(again).pairs if back else found.review
    assert (pair.kind, pair.certain) == (Kind.RESUBMISSION if back else Kind.PORT, back)


def test_several_requests_of_one_title_wait() -> None:
    found = grouped(
        member(1, TITLE, base="dev", paths=PATHS),
        member(2, TITLE, paths=PATHS),
        member(3, TITLE, paths=PATHS),
    )
    assert groups_of(found) == []
    assert {one.doubt for one in found.review} == {"several requests have this title"}


def test_a_person_may_part_what_words_join() -> None:
    given = CERTAIN["a port that its text names"]
    found = grouped(*given, decisions=[Decision(number=2, origin=1, holds=False)])
    assert groups_of(found) == []


def test_a_pick_of_several_changes_joins_none() -> None:
    found = grouped(member(1), member(2), member(3, "Cherry-pick #1 and #2", base="core_r1"))
    assert groups_of(found) == []
    assert [one.doubt for one in found.review] == ["#3 carries several changes"] * 2


def test_a_backport_of_a_backport_joins_all() -> None:
    found = grouped(
        member(1),
        member(2, base="core_r2", text="Backport of #1 to `core_r2`."),
        member(3, "Cherry-pick #1 and #2", base="core_r1"),
    )
    assert groups_of(found) == [(1, 2, 3)]


def test_a_group_is_told_under_its_oldest_origin() -> None:
    found = grouped(
        member(5, base="dev", opened_at=1),
        member(2, text="Dev PR: #5", opened_at=2),
    )
    assert [(one.lead, one.twins) for one in found.groups] == [(5, (2,))]


NUMBERS = st.integers(1, 12)
PAIRS = st.builds(
    Pair,
    number=NUMBERS,
    origin=NUMBERS,
    kind=st.sampled_from([Kind.PICK, Kind.PORT]),
    method=st.sampled_from(["port words", "equal title"]),
    confidence=st.just(0.9),
    certain=st.booleans(),
)


@given(
    pairs=st.lists(PAIRS.filter(lambda one: one.number != one.origin), max_size=15),
    random=st.randoms(use_true_random=False),
)
def test_groups_do_not_depend_on_order_and_part_all_requests(
    pairs: list[Pair], random: "object"
) -> None:
    every = members(*(member(number) for number in range(1, 13)))
    by_id = {one.id: one for one in pairs}
    found = group(every, by_id.values())
    shuffled = list(by_id.values())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert group(dict(reversed(every.items())), shuffled) == found
    told = sorted(number for one in found.groups for number in one.numbers)
    assert told == sorted(every)
