"""A period has one verdict on each request: that of its edition."""

from events.facts.editions import TellingDecided
from projections.engine.read_model import ReadModel
from services.answers.editions.why import PeriodWhy, why_of_period, why_of_period_forms
from services.answers.questions.period import period
from services.answers.questions.question import EditionQuestion, ReportQuestion
from services.config.repository import ThemeSettings
from services.documents.forms import render
from tests.answers import plain
from tests.builders import merge, pull_request
from tests.lab import Lab, created
from tests.services.answers.editions.test_curation import decided, model_with


def asked(number: int, *facts: tuple[str, TellingDecided], smallest: int = 1) -> PeriodWhy:
    return asked_of(model_with(*facts), number, smallest)


def asked_of(model: ReadModel, number: int, smallest: int = 1) -> PeriodWhy:
    report = ReportQuestion(
        full_name="acme/widget", period=period("2026-07-01", "2026-08-01", "UTC")
    )
    question = EditionQuestion(report=report, themes=ThemeSettings(smallest=smallest))
    with model.snapshot() as snapshot:
        return why_of_period(snapshot, question, number)


def test_what_a_theme_prints_is_told() -> None:
    found = asked(2)
    assert "July 2026 (UTC): told." in render(why_of_period_forms(found), "txt")
    assert plain(why_of_period_forms(found))["told"] is True


def test_a_hidden_request_is_not_told_and_nothing_says_otherwise() -> None:
    found = asked(2, decided("hide", "", numbers=(2,), reason="embargoed"))
    text = render(why_of_period_forms(found), "txt")
    assert "July 2026 (UTC): not told." in text
    assert "The edition does not tell #2: hidden: embargoed" in found.answer.reason
    assert plain(why_of_period_forms(found))["told"] is False


def test_a_request_in_no_theme_is_not_told() -> None:
    found = asked(2, smallest=5)
    assert found.answer.told is False
    assert "in no theme" in found.answer.reason


def test_what_is_not_told_is_not_said_to_be_told_or_kept() -> None:
    for found in (asked(2, smallest=5), asked(2, decided("hide", "", numbers=(2,)))):
        text = render(why_of_period_forms(found), "txt")
        assert "not told" in text
        assert "The edition tells" not in text
        assert "is kept" not in found.answer.reason


def test_what_landed_before_and_is_told_with_its_port_names_that() -> None:
    title = "Overlap the pipeline with the optimizer"
    arrivals = [
        created(),
        ("06-02", merge("a", 1, "06-02", title=title, created_at="06-01", base={"ref": "dev"})),
        ("07-02", pull_request("b", 2, "opened", "07-02", title=title, body="Port of #1")),
        ("07-09", merge("c", 2, "07-09", title=title, body="Port of #1", created_at="07-02")),
    ]
    found = asked_of(Lab(arrivals).model, 1)
    assert found.place.theme is not None
    assert found.answer.told is True
    assert found.answer.reason.startswith("it is told with its change, which #2 brings too")
