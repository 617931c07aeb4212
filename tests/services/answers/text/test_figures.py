"""Figures are quoted as they stand, with their limits, and derived from one column only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.pull_requests.texts import RequestText, text_digest
from services.answers.text.bullets import Source, bullet, summary_gap
from services.answers.text.figures import caveats, figures, quotations
from services.answers.text.tables import columns


def text(words: str) -> RequestText:
    return RequestText(number=7, text=words, digest=text_digest(words) or "", record_id="r")


FIGURES = [
    ("Time per token fell 35.2% on 4 GPUs.", ("35.2%", "4 GPUs")),
    ("1.54\u00d7 end to end, 1.3x alone", ("1.54\u00d7", "1.3x")),
    ("from 12.824 ms to 1.273 ms", ("12.824 ms", "1.273 ms")),
    ("uses 1,152 MiB more, about 3 GB", ("1,152 MiB", "3 GB")),
    ("25,100 tokens/s against 1,450 TFLOP/s/GPU", ("25,100 tokens/s", "1,450 TFLOP/s/GPU")),
    ("-0.5 pp", ("-0.5 pp",)),
    ("version 1.2.3, #12, fp8, 3D, 2026-08-01", ()),
]


@pytest.mark.parametrize(("words", "found"), FIGURES, ids=[words for words, _ in FIGURES])
def test_figures_are_found_with_their_units(words: str, found: tuple[str, ...]) -> None:
    assert figures(words) == found


def test_a_quotation_is_the_whole_sentence_in_one_version_of_the_text() -> None:
    shown = text("Why.\n\n- Latency is 9.9% lower on the stated proxy. No change else.\n")
    (one,) = quotations(shown)
    assert one.quote == "Latency is 9.9% lower on the stated proxy."
    assert one.caveats == ("proxy",)
    assert one.fits(shown)
    assert not one.fits(text(shown.text.replace("9.9%", "9.8%")))


def test_comments_and_code_are_not_quoted() -> None:
    assert quotations(text("<!-- 3 ms -->\n```\n4 ms\n```\n")) == ()


CAVEATS = [
    ("This is a draft.", ("draft",)),
    ("It has not been executed or tested.", ("not been executed",)),
    ("Not tested on Hopper", ("Not tested",)),
    ("Untested; a proxy workload", ("Untested", "proxy")),
    ("Estimated, single run", ("Estimated", "single run")),
    ("All tests pass", ()),
]


@pytest.mark.parametrize(("words", "found"), CAVEATS, ids=[words for words, _ in CAVEATS])
def test_words_that_limit_survive(words: str, found: tuple[str, ...]) -> None:
    assert caveats(words) == found
    made = bullet(Source(title="Tune it", numbers=(7,), texts=(text(f"{words} 3 ms."),)))
    assert all(word.lower() in made.line.lower() for word in found)


TABLE = """
| case | before | after (ms) | mixed |
|:-----|------:|:-:|---|
| a | 12 ms | **3.5** | 1 GB |
| b | 9.25 ms | 10 | 2 ms |
"""


def test_a_column_gives_its_lowest_to_highest_and_its_rows_and_nothing_else() -> None:
    found = {one.heading: (one.span, one.rows) for one in columns(text(TABLE))}
    assert found == {
        "case": (None, 2),
        "before": ("9.25 ms\u201312 ms", 2),
        "after (ms)": ("**3.5**\u201310", 2),
        "mixed": (None, 2),
    }


def test_a_draft_says_so_and_marks_stand_at_the_end() -> None:
    made = bullet(
        Source(title="Tune it (#7)", numbers=(7,), marks=("[main #7, open]",), draft=True)
    )
    assert made.line == "Tune it (draft) [main #7, open]"


def test_what_cannot_be_made_without_inventing_is_a_gap() -> None:
    assert summary_gap("MoE", (1, 2)) == "[TO WRITE: summary of MoE, from #1, #2]"


WORDS = st.lists(
    st.sampled_from(
        [
            "3 ms",
            "1.5\u00d7",
            "-2%",
            "draft",
            "\n",
            ". ",
            "Then",
            "|",
            "```",
            "é",
            "数",
            "#12",
            "- ",
            "25,100 tokens/s",
        ]
    )
)


@given(words=WORDS, free=st.text(max_size=40))
def test_everything_quoted_is_a_substring_of_its_text(words: list[str], free: str) -> None:
    shown = text(" ".join([*words, free]))
    for one in quotations(shown):
        assert one.fits(shown)
        assert all(figure in one.quote for figure in one.figures)
        assert all(word in shown.text for word in one.caveats)
    for column in columns(shown):
        assert all(cell in shown.text for cell in column.cells)
        assert column.span is None or all(p in column.cells for p in column.span.split("\u2013"))
