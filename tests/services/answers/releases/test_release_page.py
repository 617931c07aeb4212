"""A release's page: what is new, what was taken away, and nothing hidden."""

import json

import pytest

from events.errors import InvalidQuestion
from services.answers.releases.filters import Filter
from services.answers.releases.forms import base_of, everywhere_forms, listing_forms, page_forms
from services.answers.releases.release_page import ReleasePage
from services.documents.forms import render
from tests.builders import at
from tests.projections.release_inclusion.bench import git, merged
from tests.projections.release_inclusion.histories import Written
from tests.services.answers.releases.desk import Desk, story


@pytest.fixture(scope="module")
def desk() -> Desk:
    return story()


def numbers(page: ReleasePage, section: str) -> list[int]:
    return [row.number for row in page.lists[section]]


def test_a_patch_release_brings_what_was_picked_and_names_its_carrier(desk: Desk) -> None:
    page = desk.release("v1.0.1")
    assert (page.against and page.against.name, numbers(page, "new")) == ("v1.0.0", [3])
    assert [(row.number, row.brings) for row in page.carriers] == [(4, (3,))]
    assert page.unattributed == ()
    assert page.subject.cut is not None
    assert (page.subject.cut.branch, page.cut_at) == ("release-1.0", at("03-02"))


def test_the_first_release_brings_everything_and_lists_commits_without_a_request(
    desk: Desk,
) -> None:
    page = desk.release("v1.0.0")
    assert (page.against, numbers(page, "new")) == (None, [1, 2])
    assert [one.subject for one in page.unattributed] == ["Bump the version"]


def test_what_was_removed_is_told_with_the_request_that_did_it(desk: Desk) -> None:
    page = desk.release("v2.0.0")
    assert numbers(page, "removed") == [2]
    assert page.lists["removed"][0].because.endswith("reverted by #5")
    assert numbers(page, "new") == [5]


def test_it_can_be_told_against_another_release(desk: Desk) -> None:
    assert numbers(desk.release("v2.0.0", against="v1.0.0"), "new") == [3, 5]


def test_what_is_new_and_not_on_main_has_its_port_state() -> None:
    history = Written()
    history.commit("a", subject="Add a (#1)", at=at("03-01"))
    history.commit("r", "a", subject="Fix only here (#2)", at=at("03-02"))
    history.branches, history.tags = {"main": "a", "release-1.0": "r"}, {"v1.0.0": "r"}
    page = Desk(*git(history, "03-10")).release("v1.0.0")
    assert [(port.number, port.state, port.on) for port in page.ports] == [
        (2, "elsewhere", ("release-1.0",))
    ]


def test_a_filter_by_label_keeps_commits_that_can_have_none() -> None:
    labelled = merged(1, "a", "03-02", labels=[{"name": "bug"}])
    page = story(labelled).release("v1.0.0", shown=Filter(label="bug"))
    assert numbers(page, "new") == [1]
    assert len(page.unattributed) == 1


def test_a_filter_by_path_keeps_what_nobody_read_and_says_so(desk: Desk) -> None:
    page = desk.release("v1.0.0", shown=Filter(path="docs"))
    assert numbers(page, "new") == [1, 2]
    assert any("paths of 3 commits were not read" in note for note in page.notes)


def test_a_branch_is_no_release(desk: Desk) -> None:
    with pytest.raises(InvalidQuestion, match="branches move, so name a tag"):
        desk.release("main")


def test_the_json_carries_evidence_and_counts(desk: Desk) -> None:
    document = json.loads(render(page_forms(desk.release("v1.0.1")), "json"))
    assert document["counts"]["new"] == len(document["new"]) == 1
    assert (document["new"][0]["how"], document["new"][0]["by"]) == ("cherry-picked", [4])
    assert document["new"][0]["evidence"]
    assert document["release"]["record"]
    assert document["complete"] is True


def test_the_list_counts_what_the_pages_list(desk: Desk) -> None:
    for one in desk.listing().releases:
        page = desk.release(one.subject.name)
        assert one.counts is not None
        assert (one.counts.new, one.counts.removed) == (
            len(page.lists["new"]),
            len(page.lists["removed"]),
        )


@pytest.mark.parametrize("form", ["md", "txt", "html", "json"])
def test_hostile_titles_stay_text_in_every_format(form: str) -> None:
    hostile = "<script>alert(1)</script> [x](javascript:1) | @dev-b"
    desk = story(merged(1, "a", "03-02", title=hostile))
    base = base_of("acme/widget") if form == "html" else None
    for text in (
        render(page_forms(desk.release("v1.0.0"), base), form),
        render(listing_forms(desk.listing(), base), form),
        render(everywhere_forms(desk.everywhere(1), base), form),
    ):
        assert form != "html" or "<script" not in text
        assert 'href="javascript' not in text


def test_the_page_links_to_requests_and_the_markdown_stands_alone(desk: Desk) -> None:
    page = desk.release("v1.0.1")
    link = '<a href="/v1/repositories/acme/widget/pulls/3/releases?format=html">#3</a>'
    assert link in render(page_forms(page, base_of("acme/widget")), "html")
    assert "](" not in render(page_forms(page), "md")


def test_an_unknown_format_is_answered_with_those_there_are(desk: Desk) -> None:
    with pytest.raises(InvalidQuestion, match="md, txt, html, json"):
        render(page_forms(desk.release("v1.0.1")), "pdf")
