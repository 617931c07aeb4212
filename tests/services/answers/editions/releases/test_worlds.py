"""Editions of the releases of a simulated world, held against what releases bring."""

from pathlib import Path

import pytest

from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import edition_question
from services.answers.editions.assemble import assemble_edition
from services.answers.questions.builder import QuestionRequest
from services.answers.questions.question import RepositoryQuestion
from services.answers.releases.context import open_releases
from services.answers.releases.release_page import release_page
from services.documents.forms import MEDIA_TYPES
from services.simulator import World
from tests.answers import edition_text, stores_of
from tests.engines import NewEngine
from tests.projections.release_inclusion.worlds import recorded
from tests.worlds import project


@pytest.fixture(scope="module")
def model(small_world: World, tmp_path_factory: pytest.TempPathFactory) -> ReadModel:
    return project(recorded(small_world, tmp_path_factory.mktemp("world")).log)


def pairs(model: ReadModel) -> list[str]:
    """Return each release that brings something, against the one before it."""
    with model.snapshot() as snapshot:
        view = open_releases(
            snapshot, RepositoryQuestion(full_name="acme/widget"), HistoryCache()
        ).view
        found = [(view.predecessor(one), one) for one in view.releases]
        return [f"{before.tag}..{one.tag}" for before, one in found if before is not None]


def test_every_request_that_a_release_brings_is_in_exactly_one_part(model: ReadModel) -> None:
    compared, cache = 0, HistoryCache()
    with model.snapshot() as snapshot:
        ground = open_releases(snapshot, RepositoryQuestion(full_name="acme/widget"), cache)
        for releases in pairs(model):
            request = QuestionRequest(repository="acme/widget", releases=releases, zone="UTC")
            question = edition_question(stores_of(model), snapshot, request)
            edition = assemble_edition(snapshot, question, cache)
            first, _, second = releases.partition("..")
            page = release_page(ground, second, against=first)
            parts, content = edition.reconciliation, edition.release
            assert content is not None
            excluded = [number for numbers in parts.excluded.values() for number in numbers]
            every = sorted([*parts.told, *parts.twins, *excluded, *parts.not_told])
            assert edition.not_told.keys() >= {*parts.not_told, *excluded}, "a reason is missing"
            unsure = {row.number for row in content.doubtful["perhaps_before"]}
            assert every == [row.number for row in page.lists["new"] if row.number not in unsure]
            named = {row.number for rows in content.doubtful.values() for row in rows}
            assert named.isdisjoint(every)
            compared += len(every)
    assert compared > 10


def test_the_edition_of_a_release_is_the_same_on_each_engine_to_the_byte(
    model: ReadModel, small_world: World, tmp_path: Path, new_engine: NewEngine
) -> None:
    releases = pairs(model)[-1]
    log = recorded(small_world, tmp_path).log
    texts = []
    for engine, portion in ((new_engine(), 7), (None, 500)):
        read = project(log, engine=engine, batch_records=portion)
        with read.snapshot() as snapshot:
            request = QuestionRequest(repository="acme/widget", releases=releases, zone="UTC")
            question = edition_question(stores_of(read), snapshot, request)
            edition = assemble_edition(snapshot, question, HistoryCache())
        texts.append({form: edition_text(edition, form, "zh", "inline") for form in MEDIA_TYPES})
    assert texts[0] == texts[1]
