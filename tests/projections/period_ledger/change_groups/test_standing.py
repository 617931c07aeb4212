"""How a group is told: by the state of each branch, and by when each part landed."""

import pytest

from projections.period_ledger.change_groups.grouping import ChangeGroup, group
from projections.period_ledger.change_groups.members import Member
from projections.period_ledger.change_groups.standing import (
    InForce,
    ToldGroup,
    parts_of,
    standing_of,
    tell,
)
from tests.projections.period_ledger.change_groups.builders import (
    DAY,
    member,
    members,
    related,
)

#: The period is days 10 to 40; each request merges on the day after its number.
START, END = 10 * DAY, 40 * DAY


def told(lead: int, *given: Member) -> ToldGroup:
    found = members(*given)
    tied = related(found)
    one = group(found, tied.pairs).group_of(lead)
    return tell(one, found, START, END, tied.reverts)


CASES = [
    ("alone", "delivered", [member(11)]),
    ("alone, open", "in progress", [member(11, state="open")]),
    ("alone, closed", "closed", [member(11, state="closed")]),
    (
        "on both branches",
        "delivered",
        [member(11, base="dev"), member(12, text="Dev PR: #11")],
    ),
    (
        "the port is open",
        "partly delivered",
        [member(11, base="dev"), member(12, text="Dev PR: #11", state="open")],
    ),
    (
        "the port was closed",
        "partly delivered",
        [member(11, base="dev"), member(12, text="Dev PR: #11", state="closed")],
    ),
    (
        "the port was closed, and done again",
        "delivered",
        [
            member(11, base="dev"),
            member(12, text="Dev PR: #11", state="closed"),
            member(13, text="Dev PR: #11"),
        ],
    ),
    (
        "the first part landed before the period",
        "port",
        [member(5, base="dev"), member(12, text="Dev PR: #5")],
    ),
    (
        "reverted in the period",
        "reverted",
        [member(11, "Tune it"), member(12, 'Revert "Tune it (#11)"')],
    ),
    (
        "reverted on one branch of two",
        "partly delivered",
        [
            member(11, "Tune it", base="dev"),
            member(12, text="Dev PR: #11"),
            member(13, 'Revert "Tune it (#11)"', base="dev"),
        ],
    ),
    (
        "reverted, and back",
        "resubmission",
        [
            member(5, "Tune it"),
            member(7, 'Revert "Tune it (#5)"'),
            member(12, 'Reapply "Tune it (#5)"'),
        ],
    ),
    (
        "an open revert changes nothing",
        "delivered",
        [member(11, "Tune it"), member(12, 'Revert "Tune it (#11)"', state="open")],
    ),
]


@pytest.mark.parametrize(("telling", "given"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_group_is_told_as(telling: str, given: list[Member]) -> None:
    found = told(given[0].number, *given)
    assert found.telling == telling
    assert found.plain is (telling == "delivered")


def test_every_number_is_printed_with_base_and_state_at_the_end() -> None:
    found = told(11, member(11, base="dev"), member(12, text="Dev PR: #11", state="open"))
    assert found.marks == ("[dev #11, merged]", "[main #12, open]")
    assert (found.lead, found.landed, found.earlier) == (11, (11,), ())


@pytest.mark.parametrize(
    ("in_force", "standing"),
    [
        ({1: "whole"}, "delivered"),
        ({1: "part"}, "in part"),
        ({1: "none"}, "reverted"),
        ({}, "reverted"),
        ({1: "untraced"}, "reverted"),
    ],
)
def test_what_commits_tell_comes_before_what_requests_say(
    in_force: dict[int, InForce], standing: str
) -> None:
    requests = members(member(1), member(2))
    alone = ChangeGroup(numbers=(1,), lead=1)
    parts = parts_of(alone, requests, [(2, 1)], in_force)
    assert standing_of(parts) == standing


@pytest.mark.parametrize(
    ("bases", "in_force", "standing"),
    [
        (("main", "main"), {1: "untraced", 2: "untraced"}, "untraced"),
        (("main", "main"), {1: "untraced", 2: "whole"}, "delivered"),
        (("main", "main"), {1: "untraced"}, "delivered"),  # nobody asked git about #2
        (("main", "dev"), {1: "whole", 2: "untraced"}, "untraced"),
        (("main", "dev"), {1: "part", 2: "untraced"}, "partly delivered"),
        (("main", "dev"), {1: "none", 2: "untraced"}, "partly delivered"),
    ],
)
def test_what_left_no_trace_is_never_plainly_delivered(
    bases: tuple[str, str], in_force: dict[int, InForce], standing: str
) -> None:
    requests = members(*(member(n, base=base) for n, base in enumerate(bases, 1)))
    parts = parts_of(ChangeGroup(numbers=(1, 2), lead=1), requests, (), in_force)
    assert standing_of(parts) == standing
