"""Editions from before Shipledger, read from their text."""

from datetime import date

import pytest

from services.answers.editions.reading import read_edition
from services.answers.editions.reading_json import read_json

SEED = """Widget Monthly Activity Report — August 2026

[author]

Widget Monthly Activity Report — August 2026

Period: 2026-08-01 through 2026-08-31 (Asia/Shanghai); source: acme/Widget.

Overview

The portfolio emphasizes MoE, and #12 is named here.

• PRs opened: 1,743; merged during the period: at least 397; closed without merge: unknown; \
still open at period end: 322.
• Excluded from the narrative: test-only 41, CI-only 44, test/CI-only 2, format-only 0.

Delivered

MoE: Decode

MoE gained kernels, see #99.

• One bullet, with #98 in it.
• Another one.

Related PRs: #6022, [main #6870, open], #5865

In Progress

GTP: Graphs

A sentence.

• A bullet [main #7, open]

Related PRs: #7

Scope and Method

The narrative is grouped, #1.
"""


def test_figures_days_and_numbers_are_read_and_nothing_else() -> None:
    found = read_edition(SEED)
    assert found.title == "Widget Monthly Activity Report — August 2026"
    assert (found.first_day, found.last_day) == (date(2026, 8, 1), date(2026, 8, 31))
    assert (found.zone, found.source) == ("Asia/Shanghai", "acme/Widget")
    assert found.figures == {
        "opened": 1743,
        "merged": 397,
        "closed_without_merge": None,
        "opened_and_still_open": 322,
    }
    assert found.excluded == {
        "test-only": 41,
        "ci-only": 44,
        "test-and-ci-only": 2,
        "format-only": 0,
    }
    assert [(theme.section, theme.name, theme.numbers) for theme in found.themes] == [
        ("delivered", "MoE: Decode", (5865, 6022, 6870)),
        ("in_progress", "GTP: Graphs", (7,)),
    ]


def test_a_text_that_is_no_edition_is_refused() -> None:
    with pytest.raises(ValueError, match="no line with the counts"):
        read_edition("# Notes\n\nNothing here.\n")


def test_figures_kept_as_json_are_read_by_the_name_of_their_period() -> None:
    raw = (
        b'{"repository": "acme/widget", "time_zone": "Asia/Shanghai", "2026-07": {"opened": 506, '
        b'"merged": 249, "opened_in_period_still_open_at_end": 231, "excluded": {"test_only": 40},'
        b' "themes": [{"section": "delivered", "theme": "MoE", "pulls": [9, 2]}]}}'
    )
    found = read_json(raw, "2026-07")
    assert found.figures == {"opened": 506, "merged": 249, "opened_and_still_open": 231}
    assert found.excluded == {"test-only": 40}
    assert found.themes[0].numbers == (2, 9)
    with pytest.raises(ValueError, match="neither figures nor themes"):
        read_json(raw, "2026-08")
