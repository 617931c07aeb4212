"""Both languages say the same, in every format; what is told can be read back."""

import csv
import io
import json
import re

import msgspec
import pytest

from events.errors import InvalidQuestion
from services.answers.editions.edition import Edition, Line
from services.answers.editions.parity import parity
from services.answers.editions.reading import read_edition
from services.answers.editions.words import LANGUAGES
from services.answers.questions.question import SHAPES, Shape
from services.config.repository import ThemeSettings
from services.documents.forms import MEDIA_TYPES
from services.simulator import simulate
from tests.answers import edition_text
from tests.services.answers.editions.desk import edition_of, simulated


@pytest.fixture(scope="module")
def edition() -> Edition:
    world = simulate(11, pulls=70, days=100)
    return edition_of(
        simulated(world), "2026-06-01", "2026-07-01", tz="Asia/Shanghai", themes=ThemeSettings()
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_english_and_chinese_have_the_same_numbers_and_lists(
    edition: Edition, shape: Shape
) -> None:
    assert parity(edition, shape) == ()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", ["txt", "md"])
def test_what_is_printed_can_be_read_back(edition: Edition, shape: Shape, form: str) -> None:
    for language in LANGUAGES:
        found = read_edition(edition_text(edition, form, language, shape))
        assert found.figures["opened"] == edition.report.counts["opened"]
        assert found.figures["merged"] == edition.report.counts["merged"]
        assert [theme.numbers for theme in found.themes] == [
            theme.numbers for theme in edition.themes
        ]
        assert [theme.section for theme in found.themes] == [
            theme.section for theme in edition.themes
        ]


def test_a_difference_between_languages_is_named(edition: Edition) -> None:
    theme = edition.themes[0]
    texts = {
        "en": msgspec.structs.replace(theme.summary["en"], text="It is 3 times.", origin="person"),
        "zh": msgspec.structs.replace(theme.summary["zh"], text="快 5 倍。", origin="person"),
    }
    wrong = msgspec.structs.replace(theme, summary=texts)
    other = msgspec.structs.replace(edition, themes=(wrong, *edition.themes[1:]))
    assert parity(other) == (f"summary of {theme.key}: numbers 3 in English, 5 in Chinese",)


def test_numbers_of_the_overview_are_compared_too(edition: Edition) -> None:
    def told(english: str, chinese: str) -> Edition:
        texts = {
            "en": Line(text=english, origin="person"),
            "zh": Line(text=chinese, origin="person"),
        }
        return msgspec.structs.replace(edition, overview=texts)

    english = "In July 48 requests were merged, 7 % faster."
    assert parity(told(english, "7 月合并了 47 个请求，快 9 %。")) == (
        "overview: numbers 48, 7 in English, 47, 9 in Chinese",
    )
    assert parity(told(english, "7 月合并了 48 个请求，快 7 %。")) == ()
    waiting = Line(text="【待撰写】", origin="gap")
    assert parity(msgspec.structs.replace(edition, overview={"en": waiting, "zh": waiting})) == ()


def test_every_bullet_of_the_inline_shape_cites_its_requests_with_branch_and_state(
    edition: Edition,
) -> None:
    text = edition_text(edition, "txt", "en", "inline")
    for theme in edition.themes:
        for change in theme.changes:
            for number, one in change.members.items():
                assert f"[{one.base} #{number}, {one.state}]" in text


def test_a_number_whose_state_is_not_that_of_its_section_carries_its_mark(
    edition: Edition,
) -> None:
    for line in edition_text(edition, "txt").split("\n"):
        if not line.startswith("Related PRs: "):
            continue
        for number in re.findall(r"(?:^|, )#(\d+)", line.removeprefix("Related PRs: ")):
            change = next(
                change
                for theme in edition.themes
                for change in theme.changes
                if int(number) in change.numbers
            )
            state = change.members[int(number)].state
            assert state == {"delivered": "merged", "in_progress": "open"}[change.section]


def test_json_has_exclusions_filtered_counts_and_themes_with_their_numbers(
    edition: Edition,
) -> None:
    document = json.loads(edition_text(edition, "json"))
    assert set(document["exclusions"]["ci-only"]) == {"merged", "closed", "open"}
    assert list(document["filtered"]) == list(document["counts"])
    assert [theme["pulls"] for theme in document["themes"]] == [
        list(theme.numbers) for theme in edition.themes
    ]
    assert document["reconciliation"]["told"] == list(edition.reconciliation.told)


def test_csv_is_the_complete_ledger(edition: Edition) -> None:
    rows = list(csv.DictReader(io.StringIO(edition_text(edition, "csv"))))
    for name, value in edition.report.counts.items():
        assert sum(row["count"] == name for row in rows) == value


def test_the_page_is_self_contained_and_has_charts(edition: Edition) -> None:
    for language in LANGUAGES:
        page = edition_text(edition, "html", language, "seed")
        assert "<script" not in page
        assert "src=" not in page
        assert "url(" not in page
        assert page.count("<svg") >= 3
        assert page.count("<ul>") == page.count("</ul>")


def test_an_unknown_format_is_answered_with_those_there_are(edition: Edition) -> None:
    with pytest.raises(InvalidQuestion, match="md, txt, html, json, csv"):
        edition_text(edition, "pdf")
    assert list(MEDIA_TYPES) == ["md", "txt", "html", "json", "csv"]
