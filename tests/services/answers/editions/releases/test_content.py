"""What a release brings against another one: by inclusion, each request in one part."""

from typing import Any

import pytest

from events.errors import InvalidQuestion, NotFound
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import assemble_edition
from services.answers.editions.edition import Edition
from services.answers.editions.release_content import DOUBTFUL
from services.answers.questions.builder import QuestionBuilder, QuestionRequest
from services.answers.questions.period import period
from tests.builders import at
from tests.projections.release_inclusion.bench import alias, merged
from tests.projections.release_inclusion.histories import Written, sha_of
from tests.services.answers.editions.releases.desk import (
    content_of,
    decided,
    desk_of,
    edition_of,
    two_lines,
)
from tests.services.audit.receipts.desk import Desk


@pytest.fixture(scope="module")
def desk() -> Desk:
    return desk_of(two_lines())


def doubtful(edition: Edition) -> dict[str, list[int]]:
    found = content_of(edition).doubtful
    return {name: [row.number for row in found[name]] for name in DOUBTFUL if found[name]}


def test_a_patch_release_brings_what_was_picked_though_it_was_merged_before(desk: Desk) -> None:
    edition = edition_of(desk, "v1.0.0..v1.0.1")
    assert list(content_of(edition).rows) == [3]
    assert (edition.reconciliation.told, doubtful(edition)) == ((3,), {})


def test_what_the_main_line_brings_is_told_against_a_tag_that_is_no_ancestor(desk: Desk) -> None:
    edition = edition_of(desk, "v1.0.0..v2.0.0")
    assert list(content_of(edition).rows) == [3, 5, 7]
    assert doubtful(edition) == {"removed": [2], "reverted": [6]}
    found = content_of(edition).relation
    assert (found.kind, found.bases) == ("parted", (sha_of("b"),))
    assert (found.only_first, found.only_second) == (1, 4)


def test_taking_back_what_the_release_before_had_is_told_and_otherwise_not(desk: Desk) -> None:
    edition = edition_of(desk, "v1.0.0..v2.0.0")
    assert 5 in edition.reconciliation.told
    assert edition.reconciliation.not_told == (7,)
    assert edition.not_told == {7: "takes back #6, which v1.0.0 did not have either"}


def test_nothing_is_in_progress_and_open_requests_have_no_part(desk: Desk) -> None:
    edition = edition_of(desk, "v1.0.0..v2.0.0")
    assert {theme.section for theme in edition.themes} == {"delivered"}
    assert list(edition.left_over) == ["delivered"]


@pytest.mark.parametrize("releases", ["v1.0.1..v1.0.1rc1", "v1.0.1..v1.0.1"])
def test_two_tags_of_one_commit_give_an_empty_edition(desk: Desk, releases: str) -> None:
    edition = edition_of(desk, releases)
    assert content_of(edition).relation.kind == "same"
    assert (edition.reconciliation.merged, edition.themes, doubtful(edition)) == ((), (), {})


def test_releases_in_the_wrong_order_are_refused_with_the_right_one(desk: Desk) -> None:
    with pytest.raises(InvalidQuestion, match=r"write --releases v1\.0\.0\.\.v1\.0\.1"):
        edition_of(desk, "v1.0.1..v1.0.0")


def test_names_that_are_no_tags_are_refused(desk: Desk) -> None:
    with pytest.raises(NotFound, match="no tag v9"):
        edition_of(desk, "v1.0.0..v9")
    with pytest.raises(InvalidQuestion, match="main is a branch"):
        edition_of(desk, "v1.0.0..main")
    for text in ("v1.0.0", "v1.0.0..", "..v2.0.0", "v1.0.0..v1.0.1..v2.0.0"):
        with pytest.raises(InvalidQuestion, match=r"FIRST\.\.SECOND"):
            edition_of(desk, text)


def test_a_tag_that_was_not_visible_at_the_moment_asked_about_is_not_known(desk: Desk) -> None:
    with pytest.raises(NotFound, match="known from 2026-03-09 on"):
        edition_of(desk, "v1.0.0..v2.0.0", as_of=at("03-08"))


def test_an_alias_means_its_tag_and_both_are_named() -> None:
    desk = desk_of(two_lines(), alias("26.03", "v2.0.0", "03-11"))
    content = content_of(edition_of(desk, "v1.0.0..26.03"))
    assert content.tags == ("v1.0.0", "v2.0.0")
    assert content.labels == ("v1.0.0", "26.03 (v2.0.0)")
    assert any("26.03 means v2.0.0 since dev-a said so" in note for note in content.notes)


def test_a_landing_of_several_commits_cut_in_the_middle_is_partly_there() -> None:
    history = Written()
    for name, parents in (("a", ()), ("b1", ("a",)), ("b2", ("b1",))):
        history.commit(name, *parents, at=at("03-01"))
    history.branches, history.tags = {"main": "b2"}, {"v1": "a", "v2": "b1", "v3": "b2"}
    desk = desk_of(history, merged(91, "b2", "03-11", commits=2, title="Two steps"))
    half, rest = edition_of(desk, "v1..v2"), edition_of(desk, "v2..v3")
    assert (list(content_of(half).rows), doubtful(half)) == ([], {"partly": [91]})
    assert (list(content_of(rest).rows), doubtful(rest)) == ([91], {})


def test_a_revert_of_a_revert_in_one_release_brings_the_change_once() -> None:
    history = Written()
    history.line("start", "Add x (#95)", 'Revert "Add x (#95)" (#96)')
    again = 'Revert "Revert "Add x (#95)" (#96)" (#97)'
    history.line(again, after='Revert "Add x (#95)" (#96)')
    history.branches, history.tags = {"main": again}, {"v1": "start", "v2": again}
    first = merged(95, "Add x (#95)", "03-11", title="Add x")
    last = merged(97, again, "03-11", title=again)
    edition = edition_of(desk_of(history, first, last), "v1..v2")
    assert list(content_of(edition).rows) == [95, 97]
    assert doubtful(edition) == {"reverted": [96]}
    assert (edition.reconciliation.told, edition.reconciliation.twins) == ((95,), (97,))


def test_a_port_of_what_the_first_release_has_under_another_number_says_so() -> None:
    history = Written()
    history.line("start", "Add x (#10)")
    port = "[main] Add x (#11)"
    history.commit(port, "start", subject=port)
    history.branches = {"main": port, "release-1.0": "Add x (#10)"}
    history.tags = {"v1": "Add x (#10)", "v2": port}
    base = {"ref": "release-1.0", "sha": "b" * 40, "repo": {"id": 1001}}
    both = (
        merged(10, "Add x (#10)", "03-11", title="Add x", base=base),
        merged(11, port, "03-11", title=port),
    )
    desk = desk_of(history, *both, decided("twins", "yes", numbers=(10, 11)))
    (change,) = edition_of(desk, "v1..v2").themes[0].changes
    told = change.told
    assert (told.telling, told.earlier, sorted(change.plain)) == ("port", (10,), [11])


def test_what_waits_for_a_person_is_no_delivery_and_final_is_refused() -> None:
    history = Written()
    doubt = "Revert #10 but keep its tests (#11)"
    history.line("start", "Add the parser (#10)", doubt)
    history.branches = {"main": doubt}
    history.tags = {"v1": "start", "v2": doubt}
    desk = desk_of(history)
    edition = edition_of(desk, "v1..v2")
    assert (list(content_of(edition).rows), doubtful(edition)) == ([11], {"undetermined": [10]})
    assert content_of(edition).quality == "at_least"
    with pytest.raises(InvalidQuestion, match="whether it brings #10 cannot be told"):
        edition_of(desk, "v1..v2", stage="final")


def test_where_the_first_release_may_have_it_nothing_is_claimed() -> None:
    history = Written()
    history.line("start", "Add the parser (#10)")
    history.commit("p", "start", subject="cp: `Add the parser` into `release-1.0` (#4)")
    history.branches = {"main": "Add the parser (#10)", "release-1.0": "p"}
    history.tags = {"v1": "p", "v2": "Add the parser (#10)"}
    edition = edition_of(desk_of(history), "v1..v2")
    assert doubtful(edition) == {"perhaps_before": [10]}


def test_missing_history_makes_every_count_rough_and_is_named() -> None:
    history = Written()
    history.commit("a", "lost", subject="Add a (#1)")
    history.line("Add b (#2)", after="a")
    history.branches, history.tags = {"main": "Add b (#2)"}, {"v1": "a", "v2": "Add b (#2)"}
    desk = desk_of(history)
    edition = edition_of(desk, "v1..v2")
    assert (doubtful(edition), content_of(edition).quality) == ({"perhaps_before": [2]}, "about")
    with pytest.raises(InvalidQuestion, match="1 commits are missing"):
        edition_of(desk, "v1..v2", stage="final")


def test_final_is_said_of_a_release_that_is_told_whole(desk: Desk) -> None:
    assert edition_of(desk, "v1.0.0..v1.0.1", stage="final").stage == "final"


def test_a_person_can_exclude_hide_and_write_for_this_release_alone() -> None:
    pair, other = ("v1.0.0", "v2.0.0"), ("v1.0.0", "v1.0.1")
    desk = desk_of(
        two_lines(),
        decided("exclusion", "ci-only", numbers=(5,)),
        decided("hide", "yes", numbers=(3,), reason="embargoed", releases=pair, start=0, end=1),
        decided("overview", "It came.", language="en", releases=pair, start=0, end=1),
        decided("overview", "March.", language="zh", start=at("03-01"), end=at("04-01")),
    )
    edition = edition_of(desk, "v1.0.0..v2.0.0")
    assert edition.reconciliation.excluded["ci-only"] == (5,)
    assert edition.not_told[3] == "hidden: embargoed"
    assert edition.overview["en"].text == "It came."
    assert edition.overview["zh"].origin == "words", "what a period is told is no release's"
    beside = edition_of(desk, "..".join(other))
    assert (beside.reconciliation.told, beside.overview["en"].origin) == ((3,), "gap")


def test_what_is_decided_for_a_release_is_nothing_to_a_period_within_its_time() -> None:
    fact = ("overview", "It came.")
    long: dict[str, Any] = {
        "releases": ("v1.0.0", "v2.0.0"),
        "start": at("01-01"),
        "end": at("12-01"),
    }
    desk = desk_of(two_lines(), decided(*fact, language="en", **long))
    with desk.model.snapshot() as snapshot:
        march = period("2026-03-01", "2026-04-01", "UTC")
        asked = with_themes(
            desk.settings,
            QuestionBuilder(desk.settings).report(QuestionRequest(repository="acme/widget"), march),
        )
        assert assemble_edition(snapshot, asked, HistoryCache()).overview["en"].origin == "words"
