"""What fits no theme is named at the foot of an edition, and the sum is printed: in every shape."""

import json

import pytest

from events.facts.editions import Language
from services.answers.editions.parity import parity
from services.answers.editions.reading import read_edition
from services.answers.questions.question import SHAPES, Shape
from services.config.repository import ThemeSettings
from tests.answers import edition_text
from tests.services.answers.editions.desk import edition_of
from tests.services.answers.editions.test_curation import decided, model_with

HEADINGS: dict[Language, list[str]] = {
    "en": ["Not Grouped: Delivered", "Not Grouped: In Progress"],
    "zh": ["未分组：已交付", "未分组：进行中"],
}
SUMS: dict[Language, str] = {
    "en": "Merged 1 = told 0 + twins 0 + excluded 0 + not told 1.",
    "zh": "合并 1 = 叙述 0 + 同一改动 0 + 排除 0 + 未叙述 1。",
}
#: No theme is as large as this.
LARGE = ThemeSettings(smallest=9)


@pytest.mark.parametrize("language", HEADINGS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_change_in_no_theme_has_a_bullet_under_a_heading_of_its_own(
    shape: Shape, language: Language
) -> None:
    edition = edition_of(model_with(), themes=LARGE)
    lines = edition_text(edition, "txt", language, shape).splitlines()
    assert SUMS[language] in lines
    for heading, changes in zip(HEADINGS[language], edition.left_over.values(), strict=True):
        (change,) = changes
        title = change.bullets[language].text
        below = lines[lines.index(heading) + 1 :]
        assert below[1] == f"• #{change.lead} {title}"
    page = edition_text(edition, "html", language, shape)
    assert page.count(SUMS[language]) == 1
    assert all(heading in page for heading in HEADINGS[language])


def test_the_list_at_the_foot_is_not_read_as_a_theme() -> None:
    edition = edition_of(model_with(decided("theme", "Serving", numbers=(2,))), themes=LARGE)
    assert not parity(edition)
    for shape in SHAPES:
        found = read_edition(edition_text(edition, "md", "en", shape))
        assert [(theme.name, theme.numbers) for theme in found.themes] == [("Serving", (2,))]


def test_the_reason_stands_in_the_one_list_of_what_is_not_told() -> None:
    document = json.loads(edition_text(edition_of(model_with(), themes=LARGE), "json"))
    reasons = {one["number"]: one["why"] for one in document["not_told"]}
    assert reasons == {1: "in no theme", 2: "in no theme"}
    assert document["reconciliation"]["not_told"] == [2]
