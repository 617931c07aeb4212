"""One document in every format: the same words, and in each of them nothing is markup."""

import csv
import io
import shlex

import msgspec
import pytest
from markdown_it import MarkdownIt

from events.errors import InvalidQuestion
from services.documents import html, markdown, text
from services.documents.csv import Sheet
from services.documents.forms import Forms, check_form, render
from services.documents.model import (
    Bars,
    Block,
    Code,
    Column,
    Days,
    Document,
    Fold,
    Footer,
    Link,
    List,
    Note,
    Paragraph,
    Quotation,
    Section,
    Table,
    Text,
    command,
    words_of,
)
from services.documents.terminal import Terminal

#: Each would be something in Markdown or HTML, act on a terminal, or mention somebody.
HOSTILE = (
    "<script>alert(1)</script>",
    "# no heading",
    "- no item",
    "1. no item",
    "**not bold** _nor this_ `nor code`",
    "[no link](https://elsewhere.example)",
    "a | b",
    "&amp; stays &amp;",
    "~~not struck~~",
    'attribute" onload="x',
    "```",
)
ACTING = ("\x1b[31mred", "line\u2028two", "bell\x07", "\u202eback", "\x9bcsi", "\u2066isolate")


def document(*blocks: Block, title: str = "Title") -> Document:
    return Document(title=title, blocks=blocks)


def everywhere(words: str) -> Document:
    """Put a text into every place that a document has."""
    cell: Text = ("see ", Link(words, "https://host.example/1"), " and ", Code(words))
    return Document(
        title=words,
        byline=words,
        blocks=(
            Paragraph(words),
            List((words, cell)),
            Table((Column(words), Column("count", number=True)), ((cell, "1"),)),
            Note(words, (words,)),
            Quotation(words),
            Section(words, (Paragraph(words), Section(words, (Paragraph(words),)))),
            Fold(words, (Paragraph(words),)),
            Bars(words, {words: 3}),
            Days(words, ("2026-07-01", "2026-07-02"), {words: (1, 2)}),
            Footer(words),
        ),
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_text_means_itself_in_markdown(words: str) -> None:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(markdown.render(everywhere(words)))
    inner = [child.type for token in tokens for child in token.children or ()]
    assert set(inner) <= {"text", "code_inline", "softbreak", "text_special"}
    assert not [token for token in tokens if token.type in ("fence", "html_block")]
    heads = [token.tag for token in tokens if token.type == "heading_open"]
    assert heads == ["h1", "h2", "h3"]


@pytest.mark.parametrize("words", HOSTILE)
def test_text_means_itself_on_a_page(words: str) -> None:
    page = html.render(everywhere(words))
    assert "<script" not in page
    assert 'onload="x' not in page.replace("&#34; onload=&#34;x", "").replace(
        "&quot; onload=&quot;x", ""
    )
    assert page.count("<h1>") == 1
    assert page.count("<h2>") == 1
    assert page.count("<h3>") == 1


@pytest.mark.parametrize("words", HOSTILE)
def test_text_is_not_touched_where_nothing_is_markup(words: str) -> None:
    printed = text.render(everywhere(words))
    assert printed.count(words) >= 10
    assert "\\" not in printed


@pytest.mark.parametrize("words", ACTING)
@pytest.mark.parametrize("form", ["md", "html", "txt"])
def test_what_acts_on_a_terminal_is_replaced(words: str, form: str) -> None:
    printed = render(Forms(document=lambda: everywhere(words)), form)
    assert not set(printed) & {"\x1b", "\x07", "\u202e", "\x9b", "\u2066", "\u2028"}
    assert "\ufffd" in printed


@pytest.mark.parametrize(
    "name", ["v1|2", "a`b", "``|`` x", "`", "|", "a\\\\|b", "v1 `$(id)` | `x`", "x`|`[y](z)"]
)
def test_a_name_stays_inside_its_code_span_also_in_a_table(name: str) -> None:
    columns = (Column("tag"), Column("n", number=True))
    tables = document(Table(columns, (((Code(name),), "1"), (("in ", Code(name)), "2"))))
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown.render(tables))
    cells = [token for token in tokens if token.type == "td_open"]
    spans = [
        child.content
        for token in tokens
        for child in token.children or ()
        if child.type == "code_inline"
    ]
    assert len(cells) == 4
    assert spans == [name, name]


@pytest.mark.parametrize("tag", ["$(id)", "`id`", "v1;id", "v1 | id", "it's", "v1&", "-v\n1", "~"])
def test_a_command_to_paste_holds_each_name_as_one_word(tag: str) -> None:
    assert shlex.split(command("shipledger", "release", "a/b", tag).text)[3:] == [tag]
    assert shlex.quote(tag) in command("shipledger", tag).text


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\U000e0041"])
@pytest.mark.parametrize("form", ["md", "html", "txt"])
def test_what_nobody_sees_is_dropped(hidden: str, form: str) -> None:
    assert f"v1{hidden}.0" not in render(Forms(document=lambda: everywhere(f"v1{hidden}.0")), form)
    assert "v1.0" in render(Forms(document=lambda: everywhere(f"v1{hidden}.0")), form)


@pytest.mark.parametrize("words", ACTING)
def test_json_writes_what_acts_as_an_escape_and_means_the_same(words: str) -> None:
    printed = render(Forms(answer=lambda: Answer(number=7, title=words)), "json")
    assert printed.replace("\n", "").isprintable()
    assert msgspec.json.decode(printed, type=Answer).title == words


def test_a_code_span_holds_backticks_and_a_mention_reaches_nobody() -> None:
    written = markdown.render(document(Paragraph(("run ", Code("a `b` ``c``"), " @dev-a"))))
    assert "``` a `b` ``c`` ```" in written
    assert "@\u2060dev-a" in written


def test_links_are_links_on_pages_alone() -> None:
    linked = document(Paragraph(("in ", Link("v1.0", "/r/v1.0?x=1&y=2"))))
    assert '<a href="/r/v1.0?x=1&amp;y=2">v1.0</a>' in html.render(linked)
    assert markdown.render(linked) == "# Title\n\nin v1.0\n"
    assert text.render(linked) == "Title\n\nin v1.0\n"


def test_charts_and_folds_are_for_pages() -> None:
    more = document(Paragraph("seen"), *(Fold("f", (Paragraph("folded"),)), Bars("b", {"x": 1})))
    assert "folded" in html.render(more)
    assert "<svg" in html.render(more)
    for form in ("md", "txt"):
        assert "folded" not in render(Forms(document=lambda: more), form)


def test_the_title_of_a_published_text_stands_above_and_below_its_author() -> None:
    published = Document(title="July", byline="[author]", blocks=(Paragraph("told"),))
    assert text.render(published) == "July\n\n[author]\n\nJuly\n\ntold\n"
    assert markdown.render(published) == "# July\n\n[author]\n\ntold\n"
    assert html.render(published).count("July") == 2


def test_a_pipe_gets_endless_lines_and_a_terminal_its_width() -> None:
    long = document(Paragraph("word " * 100), List(("item " * 50,)))
    assert max(map(len, text.render(long).splitlines())) > 400
    narrow = text.render(long, Terminal(width=40)).splitlines()
    assert max(map(len, narrow)) <= 40
    assert any(line.startswith("  item") for line in narrow)


def test_colours_only_where_asked_for() -> None:
    plain = document(Section("Part", (Paragraph(("run ", Code("make"))),)))
    assert "\x1b[" not in text.render(plain, Terminal(width=80))
    assert "\x1b[" in text.render(plain, Terminal(width=80, colours=True))


def test_columns_of_a_table_stand_below_each_other() -> None:
    table = Table((Column("release"), Column("new", number=True)), (("v1", "1,200"), ("v10", "3")))
    assert (
        text.render(document(table)) == "Title\n\nrelease    new\nv1       1,200\nv10          3\n"
    )


CELLS = {
    "=SUM(A1)": "'=SUM(A1)",
    " =1+1": "' =1+1",
    "\n+1": "'\n+1",
    "\uff1d1": "'\uff1d1",
    "@dev": "'@dev",
    "-1": "'-1",
    "plain": "plain",
    "a=b": "a=b",
}


@pytest.mark.parametrize(("given", "kept"), CELLS.items())
def test_no_cell_is_a_formula(given: str, kept: str) -> None:
    printed = render(Forms(sheet=lambda: Sheet(("title", "n"), ((given, 7), (None, -7)))), "csv")
    rows = list(csv.reader(io.StringIO(printed)))
    assert rows == [["title", "n"], [kept, "7"], ["", "-7"]]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    title: str | None = None


def test_json_has_the_fields_of_the_answer_in_their_order() -> None:
    printed = render(Forms(answer=lambda: Answer(number=7)), "json")
    assert printed == '{\n  "number": 7,\n  "title": null\n}\n'


def test_a_format_that_an_answer_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(InvalidQuestion, match="unknown format 'csv'; there are: json"):
        render(Forms(answer=lambda: Answer(number=7)), "csv")
    with pytest.raises(InvalidQuestion, match="there are: md, txt"):
        check_form("pdf", ("md", "txt"))


def test_words_of_a_text_stand_on_one_line() -> None:
    assert words_of(("a\n b ", Code("c  d"), Link(" e", "/"))) == "a b c d e"
