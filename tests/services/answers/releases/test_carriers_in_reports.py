"""Requests that only bring others are told apart in a period's report."""

from pathlib import Path

from events.instant import DAY
from projections.engine.read_model import ReadModel
from projections.release_inclusion.view import HistoryCache
from services.answers.questions.period import Period
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import assemble
from services.answers.reports.of_which import of_which
from services.intake.git.importer import import_git
from services.simulator import simulate
from tests.worlds import REPO, project, world_log


def test_carriers_are_those_that_the_world_made_so(tmp_path: Path) -> None:
    world = simulate(3, pulls=40, days=80)
    world.build_repository(tmp_path / "repository")
    log = world_log(world)
    import_git(
        tmp_path / "repository",
        log=log,
        repository=REPO,
        full_name="acme/widget",
        clock=lambda: world.truth.end + DAY,
    )
    model: ReadModel = project(log)
    period = Period(start=world.truth.start, end=world.truth.end, zone="UTC")
    with model.snapshot() as snapshot:
        question = ReportQuestion(full_name="acme/widget", period=period)
        report = assemble(snapshot, question, HistoryCache())
    bringing = {"pick", "sync"}
    made = {
        pull.number
        for pull in world.truth.pulls
        if any(relation.kind in bringing for relation in pull.relations)
    }
    merged = {entry.number for entry in report.entries["merged"]}
    assert report.places is not None
    found = merged & set(report.places.carriers)
    assert found
    assert found <= made
    assert of_which(report)["merged"].carriers == len(found)
    bots = {pull.number for pull in world.truth.pulls if pull.bot}
    assert of_which(report)["merged"].automation == len(merged & bots)
