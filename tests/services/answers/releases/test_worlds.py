"""Pages and sentences of simulated worlds, held against what the simulator knows."""

import pytest

from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.question import RepositoryQuestion
from services.answers.releases.context import ReleaseContext, open_releases
from services.answers.releases.inclusion import everywhere
from services.answers.releases.release_page import release_page
from services.simulator import World
from services.simulator.truth import TagTruth
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import project

UNSURE = ("nothing is known of it", "no commit is known")


@pytest.fixture(scope="module")
def model(small_world: World, tmp_path_factory: pytest.TempPathFactory) -> ReadModel:
    return project(recorded(small_world, tmp_path_factory.mktemp("world")).log)


def test_every_answer_is_the_truth_or_says_what_is_missing(
    model: ReadModel, small_world: World
) -> None:
    truth = small_world.truth
    with model.snapshot() as snapshot:
        ground = open_releases(
            snapshot, RepositoryQuestion(full_name="acme/widget"), HistoryCache()
        )
        for pull in truth.pulls:
            for one in everywhere(ground, pull.number).releases:
                expected = truth.verdict(one.subject.name, pull.number)
                outcome = one.verdict.outcome
                assert outcome in (expected, "undetermined"), one.sentence
                assert outcome == expected or one.verdict.reason in UNSURE, one.sentence
                assert one.sentence.endswith(f": {one.because}.")


def test_a_page_lists_what_the_world_shipped(model: ReadModel, small_world: World) -> None:
    with model.snapshot() as snapshot:
        ground = open_releases(
            snapshot, RepositoryQuestion(full_name="acme/widget"), HistoryCache()
        )
        tags = [tag for tag in small_world.truth.tags if _is_recorded(ground, tag)]
        assert tags
        for tag in tags:
            page = release_page(ground, tag.name, against=tag.predecessor)
            new = {row.number for row in page.lists["new"]}
            others = {row.number for row in (*page.carriers, *page.lists["undetermined"])}
            assert new - others == _shipped(small_world, tag) - others, tag.name


def _is_recorded(ground: ReleaseContext, tag: TagTruth) -> bool:
    return any(one.tag == tag.name for one in ground.view.releases)


def _shipped(world: World, tag: TagTruth) -> set[int]:
    truth = world.truth
    numbers = {pull.number for pull in truth.pulls}
    there = {n for n in numbers if truth.verdict(tag.name, n) == "included"}
    before = tag.predecessor
    return {n for n in there if before is None or truth.verdict(before, n) != "included"}
