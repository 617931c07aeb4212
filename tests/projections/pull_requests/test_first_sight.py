"""Before a request was first seen: what its first delivery says was there, else unknown."""

from typing import Any

import pytest

from projections.pull_requests.attributes import attributes
from projections.pull_requests.observation import Observation
from projections.pull_requests.timeline import timeline
from tests.builders import at, merge_commit, merged, observed

SEEN = "03-06"
EARLIER = at("03-04")


def before(name: str, sight: Observation) -> Any:
    return getattr(attributes(7, [sight], EARLIER), name)


@pytest.mark.parametrize(
    ("name", "kind", "fields", "earlier"),
    [
        ("title", "edited", {"title": "New", "title_from": "Old"}, "Old"),
        ("title", "edited", {"title": "Same", "base_from": "dev"}, "Same"),
        ("title", "labeled", {"title": "Same"}, "Same"),
        ("labels", "labeled", {"labels": ("a", "b"), "label_added": "b"}, ("a",)),
        ("labels", "unlabeled", {"labels": ("a",), "label_removed": "b"}, ("a", "b")),
        ("labels", "labeled", {"labels": ("a", "b")}, ()),
        ("labels", "edited", {"labels": ("a",), "title_from": "Old"}, ("a",)),
        ("draft", "ready_for_review", {"draft": False}, True),
        ("draft", "converted_to_draft", {"draft": True}, False),
        ("draft", "edited", {"draft": True}, True),
        ("milestone", "milestoned", {"milestone": "2.0"}, None),
    ],
)
def test_the_first_delivery_tells_what_was_there_before(
    name: str, kind: str, fields: dict[str, Any], earlier: object
) -> None:
    sight = observed(kind, SEEN, **fields)
    assert before(name, sight) == earlier
    after = attributes(7, [sight], at(SEEN))
    shown = fields.get(name)
    assert getattr(after, name) == (shown if shown is not None else ())


def test_what_was_seen_earlier_and_does_not_show_it_leaves_it_to_the_first_that_does() -> None:
    seen = [
        observed("snapshot", "03-02"),
        observed("ready_for_review", SEEN, draft=False),
        observed("converted_to_draft", "03-08", draft=True),
    ]
    drafts = [attributes(7, seen, at(day)).draft for day in ("03-03", "03-07", "03-09")]
    assert drafts == [True, False, True]


def test_the_base_before_a_retargeting_is_the_one_that_it_names() -> None:
    result = timeline([observed("edited", SEEN, base="main", base_from="dev")])
    assert [(span.vf, span.base) for span in result.bases] == [
        (at("03-01"), "dev"),
        (at(SEEN), "main"),
    ]


def test_a_reopening_tells_that_it_was_closed_and_not_since_when() -> None:
    first, second = timeline([observed("reopened", SEEN)]).states
    assert (first.enter, first.flags) == ("opened", ("end_not_seen",))
    assert (second.enter, second.flags) == ("reopened", ("close_not_seen",))


def test_nobody_has_merged_it_before_it_was_merged() -> None:
    sight = merged(SEEN, merger="dev-b", merger_is_bot=False)
    assert before("merger", sight) is None
    assert attributes(7, [sight], at(SEEN)).merger == "dev-b"


def test_a_request_that_was_never_dated_is_an_opening_without_a_date() -> None:
    result = timeline([observed("labeled", SEEN, created_at=None)])
    assert [(span.enter, span.flags) for span in result.states] == [("opened", ("undated",))]


def test_git_alone_says_nothing_of_an_opening() -> None:
    assert [span.enter for span in timeline([merge_commit(SEEN)]).states] == ["merged"]
