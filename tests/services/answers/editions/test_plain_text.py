"""What persons write is plain text: it means itself in every format, whatever it looks like."""

import re
from html import unescape

import pytest
from markdown_it import MarkdownIt

from events.record import Record
from services.answers.editions.reading import read_edition
from tests.answers import edition_text
from tests.builders import at, merge, pull_request
from tests.lab import created
from tests.services.answers.editions.desk import edition_of, with_facts
from tests.services.answers.editions.test_curation import decided

TEXTS = (
    "It is **4 %** faster, _really_, ~~not~~ `slower`.",
    "<script>alert(1)</script> and <b>bold</b> &lt;i&gt; &#35; &amp;c.",
    "[x](https://host.example) ![y](z.png) | a | b |",
    "# Not a heading",
    "- Not a list",
    "+ Not one either",
    "1. Nor a numbered one",
    "12) Nor this",
    "---",
    "> Nobody said this",
    r"A path is C:\temp\*, and 1.5 is a number.",
)


def arrivals() -> list[tuple[str, Record]]:
    return [
        created(),
        ("07-03", pull_request("b", 2, "opened", "07-03", title="Speed up")),
        ("07-09", merge("c", 2, "07-09", title="Speed up", created_at="07-03")),
    ]


def shown(form: str, text: str) -> str:
    """Return the words that a reader of a format sees."""
    page = MarkdownIt("gfm-like", {"linkify": False}).render(text) if form == "md" else text
    page = re.sub(r"<(style|title|svg).*?</\1>", "", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", page))


@pytest.mark.parametrize("form", ["md", "html", "txt"])
@pytest.mark.parametrize("text", TEXTS)
def test_what_a_person_wrote_is_read_as_it_was_written(form: str, text: str) -> None:
    july = {"language": "en", "start": at("07-01"), "end": at("08-01")}
    lab = with_facts(
        arrivals(),
        decided("overview", text, **july),
        decided("bullet", text, numbers=(2,), language="en"),
    )
    made = edition_text(edition_of(lab.model), form, "en")
    page = made if form == "txt" else shown(form, made)
    assert page.count(text) == 2
    if form != "html":
        assert [theme.numbers for theme in read_edition(made).themes] == [(2,)]


def test_the_markdown_of_an_edition_has_no_markup_but_its_own() -> None:
    lab = with_facts(
        arrivals(),
        *(decided("bullet", text, numbers=(2,), language="en") for text in TEXTS[1:3]),
        decided("rename", "<i>*Names*</i>", theme="Speed up"),
    )
    page = MarkdownIt("gfm-like", {"linkify": False}).render(
        edition_text(edition_of(lab.model), "md", "en")
    )
    assert set(re.findall(r"</?(\w+)", page)) <= {"h1", "h2", "h3", "p", "ul", "li"}
