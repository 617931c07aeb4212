"""The timeline as a pure function: states, ties, trust, unknown outcomes, bases."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from events.facts.base import Trust
from events.instant import INF, format_instant
from projections.pull_requests.observation import CensusSighting, Sighting
from projections.pull_requests.timeline import Timeline, timeline
from tests.builders import at, census, issue, merge_commit, merged, observed


def lived(
    seen: Sequence[Sighting], censuses: Sequence[CensusSighting] = ()
) -> list[tuple[str, str]]:
    """Return (enter, day and time), the same for every order of the observations."""
    result = timeline(seen, censuses)
    if len(seen) <= 5:
        for order in permutations(seen):
            assert timeline([*order, *order[:1]], censuses) == result
    return [(span.enter, _written(span.vf)) for span in result.states]


def _written(instant: int) -> str:
    return "never" if instant == INF else format_instant(instant)[5:19].replace("T", " ")


def flags(result: Timeline) -> set[str]:
    return {flag for span in result.states for flag in span.flags}


def test_a_request_is_opened_closed_reopened_and_merged() -> None:
    seen = [
        observed("opened", "03-01"),
        observed("closed", "03-05"),
        observed("reopened", "03-09"),
        merged("04-04"),
    ]
    assert lived(seen) == [
        ("opened", "03-01 00:00:00"),
        ("closed", "03-05 00:00:00"),
        ("reopened", "03-09 00:00:00"),
        ("merged", "04-04 00:00:00"),
    ]


def test_a_label_proves_when_the_request_was_opened() -> None:
    result = timeline([observed("labeled", "03-20")])
    assert [(span.enter, span.vf, span.evidence) for span in result.states] == [
        ("opened", at("03-01"), "shown")
    ]


def test_a_snapshot_of_the_same_second_cannot_undo_a_merge() -> None:
    """W05, first run."""
    seen = [
        merged("03-02 09:05:10"),
        observed("labeled", "03-02 09:05:10", labels=("bug",), label_added="bug"),
        observed("opened", "03-01"),
    ]
    assert lived(seen) == [("opened", "03-01 00:00:00"), ("merged", "03-02 09:05:10")]


def test_closed_and_reopened_in_one_second_is_ambiguous_whatever_came_first() -> None:
    """W05, second run: the higher lifecycle holds until somebody looks."""
    seen = [
        observed("opened", "03-01"),
        observed("closed", "03-02 09:06:00"),
        observed("reopened", "03-02 09:06:00"),
    ]
    assert lived(seen)[-1] == ("closed", "03-02 09:06:00")
    assert "ambiguous" in flags(timeline(seen))


@pytest.mark.parametrize(
    ("later", "last"),
    [
        (observed("labeled", "03-03"), "reopened"),
        (merged("03-03"), "merged"),
        (observed("closed", "03-04"), "closed"),
    ],
    ids=["seen open afterwards", "merged afterwards", "closed afterwards"],
)
def test_what_follows_settles_a_tie(later: Sighting, last: str) -> None:
    seen = [
        observed("opened", "03-01"),
        observed("closed", "03-02 09:06:00"),
        observed("reopened", "03-02 09:06:00"),
        later,
    ]
    assert "ambiguous" not in flags(timeline(seen))
    assert ("reopened", "03-02 09:06:00") in lived(seen)
    assert lived(seen)[-1][0] == last


def test_a_census_settles_a_tie() -> None:
    seen = [
        observed("opened", "03-01"),
        observed("closed", "03-02 09:06:00"),
        observed("reopened", "03-02 09:06:00"),
    ]
    is_open = [census("03-03", highest=9, open_numbers=(7,))]
    is_closed = [census("03-03", highest=9)]
    assert lived(seen, is_open)[-1] == ("reopened", "03-02 09:06:00")
    assert lived(seen, is_closed)[-1] == ("closed", "03-02 09:06:00")
    assert "ambiguous" not in flags(timeline(seen, is_open)) | flags(timeline(seen, is_closed))


def test_a_lost_close_is_repaired_by_any_later_snapshot() -> None:
    """W06: the merge counts at its own time; an old open snapshot that comes late does nothing."""
    seen = [
        observed("opened", "05-20", created_at="05-20"),
        observed(
            "snapshot", "06-02", created_at="05-20", state="closed", merged_at="05-31 23:50:00"
        ),
        observed("synchronize", "05-30", created_at="05-20"),
    ]
    assert lived(seen) == [("opened", "05-20 00:00:00"), ("merged", "05-31 23:50:00")]


def test_a_lost_reopening_is_inferred_from_an_open_snapshot() -> None:
    seen = [observed("closed", "03-05"), observed("labeled", "03-07")]
    assert lived(seen)[1:] == [("closed", "03-05 00:00:00"), ("reopened", "03-07 00:00:00")]
    assert timeline(seen).states[-1].evidence == "inferred"


def test_a_close_that_moved_was_open_in_between() -> None:
    seen = [
        observed("closed", "03-05"),
        observed("snapshot", "03-20", state="closed", closed_at="03-10"),
    ]
    assert [enter for enter, _ in lived(seen)] == ["opened", "closed", "reopened", "closed"]


def test_a_reopening_whose_close_was_lost_keeps_the_request_open() -> None:
    result = timeline([observed("opened", "03-01"), observed("reopened", "03-09")])
    assert [span.state for span in result.states] == ["open", "open"]
    assert "close_not_seen" in flags(result)


@pytest.mark.parametrize(
    "fields",
    [{"state": "open", "closed_at": None}, {"state": "closed", "closed_at": None}],
    ids=["still shown as open", "without a time"],
)
def test_a_close_that_contradicts_itself_has_an_unknown_outcome(fields: dict[str, Any]) -> None:
    seen = [observed("opened", "03-01"), observed("closed", "03-05", **fields)]
    assert lived(seen)[-1] == ("closed_unknown", "03-05 00:00:00")


@pytest.mark.parametrize(
    ("later", "life"),
    [
        (merged("03-05 00:00:01"), ["opened", "merged"]),
        (observed("snapshot", "03-08", state="closed", closed_at="03-05"), ["opened", "closed"]),
        (
            observed("reopened", "03-06"),
            ["opened", "closed_unknown", "reopened"],
        ),
    ],
    ids=["merged", "closed", "reopened"],
)
def test_a_later_look_settles_an_unknown_outcome(later: Sighting, life: list[str]) -> None:
    unknown = observed("closed", "03-05", state="open", closed_at=None)
    assert [enter for enter, _ in lived([observed("opened", "03-01"), unknown, later])] == life


@pytest.mark.parametrize(
    ("fields", "flag"),
    [
        ({"merged": False, "merged_at": "02-03 10:00:00"}, {"contradiction"}),
        ({"merged": None, "merged_at": "02-03 10:00:00"}, set()),
    ],
    ids=["the flags disagree", "the search shape has no merged key"],
)
def test_either_sign_of_a_merge_is_enough(fields: dict[str, Any], flag: set[str]) -> None:
    """L02."""
    shown = observed("closed", "02-03 10:00:00", created_at="02-01", **fields)
    assert lived([shown])[-1] == ("merged", "02-03 10:00:00")
    assert flags(timeline([shown])) == flag


def test_a_merge_without_any_time_stands_at_no_instant() -> None:
    """L08: `updated_at` never stands in for the merge time."""
    seen = [
        observed("opened", "03-01"),
        observed("closed", "03-05", merged=True, merged_at=None, closed_at=None),
    ]
    assert lived(seen)[-1] == ("merged", "never")
    result = timeline(seen)
    assert result.states[0].vt == at("03-05")
    assert "undated" in flags(result)


def test_a_git_merge_counts_where_nothing_better_is_known() -> None:
    result = timeline([merge_commit("03-05")])
    assert [(span.enter, span.flags) for span in result.states] == [("merged", ("unconfirmed",))]
    assert [span.base for span in result.bases] == ["main"]


def test_a_git_merge_yields_to_a_full_object_that_is_later() -> None:
    result = timeline([merge_commit("03-05"), observed("labeled", "03-06")])
    assert [span.state for span in result.states] == ["open"]
    assert result.refused == ("a later full object does not show it as merged",)


def test_a_git_merge_completes_what_was_last_seen_open_before_it() -> None:
    seen = [observed("opened", "03-01"), merge_commit("03-05")]
    assert lived(seen) == [("opened", "03-01 00:00:00"), ("merged", "03-05 00:00:00")]


def test_a_payload_dates_a_merge_better_than_a_commit() -> None:
    seen = [merge_commit("03-05"), merged("03-05 00:00:01")]
    assert lived(seen)[-1] == ("merged", "03-05 00:00:01")
    assert not flags(timeline(seen))


def test_the_first_of_several_commits_dates_a_git_merge() -> None:
    seen = [merge_commit("04-05", base="core_r0.1"), merge_commit("03-05")]
    assert lived(seen) == [("merged", "03-05 00:00:00")]


def test_a_better_recognition_beats_an_earlier_commit() -> None:
    seen = [merge_commit("03-01"), merge_commit("03-05", trust=Trust.GIT_TEMPLATE)]
    assert lived(seen) == [("merged", "03-05 00:00:00")]


def test_a_git_merge_of_an_issue_is_refused() -> None:
    result = timeline([merge_commit("03-05"), issue("03-01")])
    assert result.states == ()
    assert result.refused == ("#7 is an issue",)


@pytest.mark.parametrize(
    ("listed", "taken"),
    [
        (census("03-06", highest=6), False),
        (census("03-06", highest=7), True),
        (census("03-04", highest=6), True),
    ],
    ids=["above all that existed", "it existed", "the census is older"],
)
def test_a_census_refuses_git_merges_of_numbers_that_did_not_exist(
    listed: CensusSighting, *, taken: bool
) -> None:
    assert bool(timeline([merge_commit("03-05")], [listed]).states) is taken


def test_a_census_that_does_not_list_a_request_closes_it_with_unknown_outcome() -> None:
    seen = [observed("opened", "03-01")]
    assert lived(seen, [census("03-10", highest=9)])[-1] == ("closed_unknown", "03-10 00:00:00")
    listed = [census("03-10", highest=9, open_numbers=(7,))]
    assert lived(seen, listed) == [("opened", "03-01 00:00:00")]


def test_a_retarget_ends_the_base_before_it() -> None:
    result = timeline(
        [
            observed("opened", "03-01", base="feat-a"),
            observed("edited", "03-11", base="main", base_from="feat-a"),
            merged("03-13", base="main"),
        ]
    )
    assert [(span.base, span.vf, span.vt) for span in result.bases] == [
        ("feat-a", at("03-01"), at("03-11")),
        ("main", at("03-11"), INF),
    ]


def test_a_lost_retarget_is_placed_no_later_than_the_merge() -> None:
    """L10, variant: only the payload of the merge names the new base."""
    result = timeline(
        [
            observed("opened", "03-01", base="feat-a"),
            observed("snapshot", "08-02", base="main", state="closed", merged_at="03-13"),
        ]
    )
    assert [(span.base, span.vf) for span in result.bases] == [
        ("feat-a", at("03-01")),
        ("main", at("03-13")),
    ]


def test_two_retargets_of_one_second_follow_each_other() -> None:
    seen = [
        observed("opened", "03-01", base="a"),
        observed("edited", "03-02", base="c", base_from="b"),
        observed("edited", "03-02", base="b", base_from="a"),
    ]
    for order in permutations(seen):
        assert timeline(order).bases[-1].base == "c"


def test_nothing_observed_gives_nothing() -> None:
    assert timeline([]) == Timeline()
