"""Editions of releases in every format and both languages."""

import csv
import io
import json

import msgspec
import pytest

from events.facts.editions import Language
from services.answers.editions.edition import Edition
from services.answers.editions.parity import parity
from services.answers.editions.reading import read_edition
from services.answers.editions.words import WORDS
from services.answers.questions.question import Shape
from services.documents.forms import MEDIA_TYPES
from tests.answers import edition_text
from tests.projections.release_inclusion.bench import alias
from tests.services.answers.editions.releases.desk import desk_of, edition_of, two_lines
from tests.services.audit.receipts.desk import Desk


@pytest.fixture(scope="module")
def desk() -> Desk:
    return desk_of(two_lines(), alias("26.03", "v2.0.0", "03-11"))


@pytest.fixture(scope="module")
def edition(desk: Desk) -> Edition:
    return edition_of(desk, "v1.0.0..26.03")


def test_the_head_names_the_releases_and_how_they_stand_to_each_other(edition: Edition) -> None:
    lines = edition_text(edition, "txt").splitlines()
    assert lines[0] == "widget Release Report — v1.0.0 … 26.03 (v2.0.0)"
    assert (
        "Releases: v1.0.0 (2026-03-04) to 26.03 (v2.0.0) (2026-03-09); source: acme/widget."
    ) in lines
    assert (
        "• PRs brought by the release: 3; only partly: 0; reverted before it: 1; removed: 1; "
        "cannot be told: 0."
    ) in lines
    assert "• Brought 3 = told 2 + twins 0 + excluded 0 + not told 1." in lines
    assert any("26.03 means v2.0.0 since dev-a said so" in line for line in lines)
    assert any(
        line.startswith("v1.0.0 is not an ancestor of v2.0.0; they part at commit ")
        and line.endswith(": 1 commits are in v1.0.0 alone, 4 in v2.0.0 alone.")
        for line in lines
    )


def test_a_bullet_says_by_what_way_a_change_came_where_that_is_not_plain(desk: Desk) -> None:
    picked = edition_text(edition_of(desk, "v1.0.0..v1.0.1"), "txt")
    assert "• Add c [cherry-picked as #4]\n" in picked
    later = edition_text(edition_of(desk, "v1.0.0..v2.0.0"), "txt")
    assert "• Add c [first shipped in v1.0.1]\n" in later
    assert "• Add c [以 #4 拣选]\n" in edition_text(edition_of(desk, "v1.0.0..v1.0.1"), "txt", "zh")


def test_what_is_not_plainly_delivered_is_named_with_its_reason(edition: Edition) -> None:
    lines = edition_text(edition, "txt").splitlines()
    section = lines[lines.index("Not Plainly Delivered") :]
    assert [line for line in section if line.startswith("• ")] == [
        "• #6 (title not recorded) — reverted before v2.0.0 by #7",
        "• #2 (title not recorded) — v1.0.0 had it; taken out by #5",
    ]
    chinese = edition_text(edition, "txt", "zh")
    assert "v1.0.0 中有，此后被移除（由 #5）" in chinese
    assert "In Progress" not in lines
    assert "进行中\n" not in chinese


@pytest.mark.parametrize("shape", ["seed", "inline"])
def test_both_languages_say_the_same_and_are_read_back(edition: Edition, shape: Shape) -> None:
    assert parity(edition, shape) == ()
    found = read_edition(edition_text(edition, "md", "en", shape))
    assert found.figures == {
        "brought": 3,
        "partly": 0,
        "reverted": 1,
        "removed": 1,
        "undetermined": 0,
    }
    told = {number for theme in found.themes for number in theme.numbers}
    assert {*edition.reconciliation.told} <= told, "a theme is lost"
    assert told.isdisjoint({2, 6, 7})


def test_an_empty_edition_says_why_it_is_empty(desk: Desk) -> None:
    same = edition_of(desk, "v1.0.1..v1.0.1rc1")
    for language, says in (
        ("en", ("Nothing that v1.0.1 does not have.", "are the same commit: nothing is new.")),
        ("zh", ("没有 v1.0.1 中没有的内容。", "是同一提交：没有新内容。")),
    ):
        text = edition_text(same, "txt", "zh" if language == "zh" else "en")
        assert all(part in text for part in says), text
    assert parity(same) == ()


@pytest.mark.parametrize(("language", "heading"), [("en", "Delivered"), ("zh", "已交付")])
def test_what_fits_no_theme_is_named_at_the_foot(
    edition: Edition, language: Language, heading: str
) -> None:
    changes = [change for theme in edition.themes for change in theme.changes]
    left = msgspec.structs.replace(edition, themes=(), left_over={"delivered": tuple(changes)})
    before = WORDS[language].not_grouped.format(section=heading)
    lines = edition_text(left, "txt", language).splitlines()
    below = lines[lines.index(before) + 2 :]
    assert len(below) == len(changes) > 0
    for line, change in zip(below, changes, strict=True):
        assert line.startswith(f"• #{change.numbers[0]}")
        assert line.endswith(change.bullets[language].text)


def test_json_holds_both_releases_every_request_and_the_sum(edition: Edition) -> None:
    document = json.loads(edition_text(edition, "json"))
    releases = document["releases"]
    assert [releases[name]["tag"] for name in ("first", "second")] == ["v1.0.0", "v2.0.0"]
    assert releases["relation"]["first_is"] == "parted"
    counts = document["counts"]
    assert counts["brought"] == sum(
        counts[part] for part in ("told", "twins", "excluded", "not_told")
    )
    assert [one["number"] for one in document["brought"]] == [3, 5, 7]
    assert document["brought"][0]["remarks"]["en"] == ["first shipped in v1.0.1"]
    assert [one["number"] for one in document["not_plainly_delivered"]["removed"]] == [2]
    assert document["not_told"] == [
        {"number": 7, "why": "takes back #6, which v1.0.0 did not have either"}
    ]


def test_the_ledger_has_one_row_for_each_request_with_its_part(edition: Edition) -> None:
    rows = list(csv.DictReader(io.StringIO(edition_text(edition, "csv"))))
    assert [(row["list"], row["number"], row["told"]) for row in rows] == [
        ("brought", "3", "told"),
        ("brought", "5", "told"),
        ("brought", "7", "not told"),
        ("reverted", "6", ""),
        ("removed", "2", ""),
    ]
    assert (
        rows[0]["because"] == "merged to main on 2026-03-05 and carried by the tag on that branch"
    )


def test_the_page_lists_each_part_and_escapes_what_came_from_outside(edition: Edition) -> None:
    page = edition_text(edition, "html")
    assert "<summary>told (2)</summary>" in page
    assert "<summary>removed (1)</summary>" in page
    assert "<title>widget Release Report — v1.0.0 … 26.03 (v2.0.0)</title>" in page
    assert "<script" not in page
    assert set(MEDIA_TYPES) == {"md", "txt", "html", "json", "csv"}
