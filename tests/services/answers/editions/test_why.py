"""A period has one verdict on each request: that of its edition."""

from events.facts.editions import TellingDecided
from services.answers.editions.why import PeriodWhy, why_of_period, why_of_period_forms
from services.answers.questions.period import period
from services.answers.questions.question import EditionQuestion, ReportQuestion
from services.config.repository import ThemeSettings
from services.documents.forms import render
from tests.answers import plain
from tests.services.answers.editions.test_curation import decided, model_with


def asked(number: int, *facts: tuple[str, TellingDecided], smallest: int = 1) -> PeriodWhy:
    report = ReportQuestion(
        full_name="acme/widget", period=period("2026-07-01", "2026-08-01", "UTC")
    )
    question = EditionQuestion(report=report, themes=ThemeSettings(smallest=smallest))
    with model_with(*facts).snapshot() as snapshot:
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
