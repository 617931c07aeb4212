"""Names of releases: aliases, moved and deleted tags, tags that share a commit or a name."""

import pytest

from events.errors import InvalidQuestion, NotFound
from tests.builders import at
from tests.projections.release_inclusion.bench import (
    alias,
    fetched,
    git,
    opened,
    read_refs,
    release,
)
from tests.services.answers.releases.desk import Desk, story, written


def test_an_alias_stands_for_its_tag_and_the_answer_says_since_when() -> None:
    desk = story(alias("spring", "v1.0.0", "04-01"))
    answer = desk.included(1, "spring")
    assert answer.sentence.startswith("#1 is in spring (v1.0.0): ")
    assert "spring means v1.0.0 since dev-a said so on 2026-04-01." in answer.subject.notes


def test_a_newer_patch_release_moves_no_alias_and_is_told() -> None:
    notes = story(alias("spring", "v1.0.0", "04-01")).included(3, "spring").subject.notes
    assert "v1.0.1 is a newer patch release of that series; spring was not moved to it." in notes


def test_a_later_decision_undoes_an_alias_and_earlier_knowledge_keeps_it() -> None:
    desk = story(alias("spring", "v1.0.0", "04-01"), alias("spring", None, "04-05"))
    assert desk.included(1, "spring", known_at="04-03").verdict.outcome == "included"
    with pytest.raises(NotFound, match="no tag spring"):
        desk.included(1, "spring")


def test_a_decision_comes_before_the_configuration_also_when_it_removes() -> None:
    configured = {"spring": "v2.0.0", "autumn": "v2.0.0"}
    desk = story(alias("spring", None, "04-01"))
    answer = desk.included(3, "autumn", aliases=configured)
    assert "autumn means v2.0.0 by the configuration." in answer.subject.notes
    with pytest.raises(NotFound):
        desk.included(3, "spring", aliases=configured)


def test_an_alias_of_a_tag_that_is_not_there_is_told_in_the_list() -> None:
    notes = story(alias("spring", "v9", "04-01")).listing().notes
    assert "spring means v9, and no such tag is there." in notes


def moved(commit: str | None) -> Desk:
    move = fetched("refs/tags/v1.0.0", commit, "04-01", before="bump", since="03-10")
    return story(("04-01", read_refs([move], "04-01", "first")))


def test_a_moved_tag_keeps_its_old_contents_for_its_time_and_says_so() -> None:
    desk = moved("p")
    before, after = desk.included(3, "v1.0.0", as_of="03-20"), desk.included(3, "v1.0.0")
    assert (before.verdict.outcome, after.verdict.outcome) == ("not_included", "included")
    assert any("The tag moves later: from 2026-04-01 on" in n for n in before.subject.notes)
    assert any("The tag moved: until 2026-04-01 it meant" in n for n in after.subject.notes)
    assert any("The same commit is also tagged v1.0.1." in n for n in after.subject.notes)


def test_a_deleted_tag_is_still_there_for_its_time() -> None:
    desk = moved(None)
    assert desk.included(1, "v1.0.0", as_of="03-20").verdict.outcome == "included"
    with pytest.raises(NotFound, match="deleted on 2026-04-01"):
        desk.included(1, "v1.0.0")


def test_a_date_that_is_assumed_is_said_where_the_answer_leans_on_it() -> None:
    desk = story()
    assert any("assumed" in n for n in desk.included(1, "v1.0.0", as_of="03-20").subject.notes)
    assert not any("assumed" in n for n in desk.included(1, "v1.0.0").subject.notes)
    assert any("assumed" in note for note in desk.listing().notes)


def test_where_a_branch_stood_before_it_was_seen_is_said_to_be_reconstructed() -> None:
    answer = story().included(3, "main", as_of="03-06")
    assert answer.verdict.outcome == "included"
    assert any("reconstructed" in note for note in answer.subject.notes)


def test_a_branch_and_a_tag_of_one_name_are_told_apart() -> None:
    history = written()
    history.branches["release-1.0"], history.tags["release-1.0"] = "p", "bump"
    desk = Desk(opened(7, "03-08"), *git(history, "03-10"))
    tag, branch = (desk.included(3, name) for name in ("release-1.0", "refs/heads/release-1.0"))
    assert (tag.verdict.outcome, branch.verdict.outcome) == ("not_included", "included")
    assert any("also the name of a branch" in note for note in tag.subject.notes)


def test_v14_a_draft_is_invisible_until_it_is_published() -> None:
    desk = story(
        release("created", "v2.0.0", "03-12", draft=True, published_at=None),
        release("published", "v2.0.0", "03-20"),
    )
    dates = {one.subject.name: one.subject for one in desk.listing().releases}
    assert (dates["v2.0.0"].at, dates["v2.0.0"].evidence) == (at("03-20"), "published")


def test_a_published_release_without_its_commit_is_told_and_not_hidden() -> None:
    desk = story(release("published", "v3.0.0", "03-20"))
    notes = desk.listing().notes
    assert "v3.0.0 is published at GitHub, and its commit is not recorded yet." in notes
    with pytest.raises(NotFound, match="let the mirror fetch"):
        desk.included(1, "v3.0.0")


def test_a_branch_without_a_part_names_the_patterns_that_give_one() -> None:
    desk = story(
        (
            "04-01",
            read_refs(
                [fetched("refs/heads/topic", "p", "04-01", before="bump", since="03-10")],
                "04-01",
                "x",
            ),
        )
    )
    with pytest.raises(InvalidQuestion, match=r"topic has no part in releases.*release-\*"):
        desk.included(3, "topic")
