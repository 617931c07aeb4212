"""The sentence with which each answer begins."""

import pytest

from events.errors import InvalidQuestion, NotFound
from tests.services.answers.releases.desk import Desk, story


@pytest.fixture(scope="module")
def desk() -> Desk:
    return story()


@pytest.mark.parametrize(
    ("number", "tag", "sentence"),
    [
        (
            1,
            "v1.0.0",
            "#1 is in v1.0.0: merged to main on 2026-03-01 and carried by the release branch cut "
            "(release-1.0).",
        ),
        (
            3,
            "v1.0.0",
            "#3 is not in v1.0.0: it was merged to main on 2026-03-05, after the cut of "
            "release-1.0.",
        ),
        (3, "v1.0.1", "#3 is in v1.0.1: cherry-picked as #4 to release-1.0 on 2026-03-06."),
        (
            3,
            "v2.0.0",
            "#3 is in v2.0.0: merged to main on 2026-03-05 and carried by the tag on that branch.",
        ),
        (
            2,
            "v2.0.0",
            "#2 is no longer in v2.0.0: v1.0.1 had it, and here it is reverted by #5.",
        ),
        (6, "v2.0.0", "#6 is not in v2.0.0: it is only on dev, merged there on 2026-03-03."),
        (7, "v2.0.0", "#7 is not in v2.0.0: it is still open."),
        (8, "v2.0.0", "#8 is not in v2.0.0: it was closed without being merged."),
        (
            9,
            "v2.0.0",
            "Whether #9 is in v2.0.0 cannot be told: it was merged, and no commit that carries it "
            "is known.",
        ),
        (2, "main", "#2 is not in main: it is there but reverted by #5."),
        (1, "dev", "#1 is in dev: merged to main on 2026-03-01 and carried by dev."),
        (6, "dev", "#6 is in dev: merged to dev on 2026-03-03."),
        (1, "refs/tags/v1.0.0", None),
        (1, "refs/heads/release-1.0", None),
    ],
)
def test_an_answer_begins_with_a_sentence(
    desk: Desk, number: int, tag: str, sentence: str | None
) -> None:
    answer = desk.included(number, tag)
    if sentence is None:
        assert answer.verdict.outcome == "included"
    else:
        assert answer.sentence == sentence


def test_a_branch_is_said_to_move(desk: Desk) -> None:
    notes = desk.included(3, "main").subject.notes
    assert any("branches move" in note for note in notes)


def test_every_answer_names_commits_refs_and_records(desk: Desk) -> None:
    answer = desk.included(3, "v1.0.1")
    assert [one.kind for one in answer.evidence] == ["commit", "ref"]
    assert all(one.record_id for one in answer.evidence)
    assert answer.first == "v1.0.1"


def test_a_carrier_says_what_it_carries(desk: Desk) -> None:
    assert desk.included(4, "v1.0.1").brings == (3,)


def test_all_releases_and_all_branches_are_told(desk: Desk) -> None:
    answer = desk.everywhere(3)
    found = {one.subject.name: one.verdict.outcome for one in answer.releases}
    assert found == {"v1.0.0": "not_included", "v1.0.1": "included", "v2.0.0": "included"}
    assert [one.subject.name for one in answer.branches] == ["main", "dev", "release-1.0"]
    assert answer.port is not None
    assert (answer.port.state, answer.port.by) == ("merged", (3,))


def test_a_change_that_only_dev_has_waits_for_its_port(desk: Desk) -> None:
    port = desk.everywhere(6).port
    assert port is not None
    assert (port.state, port.on) == ("elsewhere", ("dev",))


def test_unknown_numbers_and_names_are_answered_with_what_there_is(desk: Desk) -> None:
    with pytest.raises(NotFound, match="nothing is recorded of #77"):
        desk.included(77, "v1.0.0")
    with pytest.raises(NotFound, match=r"there are v1\.0\.0, v1\.0\.1"):
        desk.included(1, "v1.0")
    with pytest.raises(InvalidQuestion, match="write 6022"):
        desk.included(0, "v1.0.0")
