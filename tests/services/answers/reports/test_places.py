"""What was released in a period is counted where it is printed, and nowhere else."""

from projections.release_inclusion.view import HistoryCache
from services.answers.editions.asking import with_themes
from services.answers.editions.assemble import edition_of
from services.answers.reports.assemble import assemble
from tests.answers import edition_text, report_text
from tests.services.answers.editions.releases.desk import desk_of, two_lines


def test_an_edition_for_people_counts_no_release() -> None:
    desk = desk_of(two_lines())
    question = desk.question("2026-03-01", "2026-04-01")
    with desk.model.snapshot() as snapshot:
        report = assemble(snapshot, question, HistoryCache())
        asked = with_themes(desk.settings, question)
        edition = edition_of(snapshot, report, asked, HistoryCache())
    places = report.places
    assert places is not None
    for form in ("md", "html", "txt"):
        edition_text(edition, form)
    assert "released" not in vars(places)
    assert "v2.0.0" in report_text(report, "md"), "counted after the snapshot is closed too"
    assert {r.tag for r in places.released} == {"v1.0.0", "v1.0.1", "v1.0.1rc1", "v2.0.0"}
