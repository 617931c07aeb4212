"""Brackets stand as they were written, and never make a link: held against a CommonMark parser."""

import random
from typing import Final

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from services.documents import markdown
from services.documents.model import (
    Code,
    Column,
    Document,
    Inline,
    Item,
    Link,
    List,
    Note,
    Paragraph,
    Quotation,
    Section,
    Strong,
    Table,
    Text,
    words_of,
)
from services.documents.printable import printable

PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: What links, references, definitions, images, emphasis and their escapes are made of.
UNITS: Final = (
    *("[", "]", "(", ")", ":", "!", "](", "][", "]:", "[]", "![", "[^1]", "[ ]", "[x]", "[!NOTE]"),
    *(
        "\\",
        "\\[",
        "\\]",
        "`",
        "``",
        "*",
        "**",
        "_",
        "~",
        "~~",
        "<",
        ">",
        "|",
        "&",
        "&lbrack;",
        "#",
    ),
    *(" ", "  ", "\n", "\t", "\u200b", "\u00a0", "a", "b", "main", "x", "#12", "@ada", "1.", "-"),
    *("/url", "<b>", '"t"', "http://e.example", "<http://e.example>", "(/url)", "[a]: /url", "'"),
)
PLAIN: Final = {"text", "text_special", "code_inline", "strong_open", "strong_close"}


def words(rng: random.Random, most: int = 12) -> str:
    return "".join(rng.choices(UNITS, k=rng.randint(1, most)))


def text_of(rng: random.Random) -> Text:
    """Return words, or several pieces of them side by side."""
    if rng.random() < 0.5:
        return words(rng)
    made: list[Inline] = []
    for _ in range(rng.randint(1, 4)):
        piece = printable(words(rng, 4)) or "a"
        kind = rng.choice((str, str, Link, Code))
        if kind is Link:
            made.append(Link(piece, "/page"))
        elif kind is Code and not (made and isinstance(made[-1], Code)):
            made.append(Code(" ".join(piece.split()) or "name"))
        else:
            made.append(piece)
    return tuple(made)


def document(lines: list[str], texts: list[Text]) -> Document:
    """Return a document with a text at each place that may hold one."""
    a, b, c = lines
    d, e, f, g, h, i, j = texts
    return Document(
        title=a,
        byline=b,
        lead=c,
        blocks=(
            Paragraph(d),
            List((Item(e, (f,)), e)),
            Note(g, (h,)),
            Quotation(i),
            Table((Column("n"),), ((j,),)),
            Section("End", (Paragraph("[a][b] ![a] [b]"),)),
        ),
    )


def inner(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def read(token: Token) -> str:
    """Return what a reader sees of a block, without the mark that keeps mentions apart."""
    seen = "".join(child.content for child in token.children or ())
    return " ".join(seen.replace("\u2060", "").split())


def expected(text: Text) -> str:
    return printable(words_of(text)).strip()


@pytest.mark.parametrize("seed", range(400))
def test_a_reader_sees_what_was_written_and_no_link(seed: int) -> None:
    rng = random.Random(seed)
    lines, texts = [words(rng) for _ in range(3)], [text_of(rng) for _ in range(7)]
    env: dict[str, object] = {}
    tokens = PARSER.parse(markdown.render(document(lines, texts)), env)
    assert {child.type for child in inner(tokens)} <= PLAIN
    assert "references" not in env, "no text defines what another refers to"
    assert not {token.type for token in tokens} & {"html_block", "fence", "code_block", "hr"}
    seen = [read(token) for token in tokens if token.type == "inline"]
    wanted = [" ".join(expected(text).split()) for text in (*lines, *texts)]
    a, b, c, d, e, f, g, h, i, j = wanted
    told = [a, b, c, d, e, f, e, g, h, i, "n", j, "End", "[a][b] ![a] [b]"]
    assert [part for part in seen if part] == [part for part in told if part]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[main #12, open]", "[main #12, open]"),
        ("[Fix] the [parser] (again)", "[Fix] the [parser] (again)"),
        ("ends in [main]", "ends in [main]"),
        ("a[0][1] = b[2]", "a[0\\][1] = b[2]"),
        ("[no link](https://e.example)", "[no link\\](https://e.example)"),
        ("[Feature]: Add", "\\[Feature]: Add"),
        ("Add [Feature]: b", "Add [Feature]: b"),
        (("[a ", Code("b]: /url")), "\\[a `b]: /url`"),
        ("ends in #", "ends in \\#"),
        ("C#", "C#"),
        (("a", Code("\u200b"), "b"), "ab"),
        ("![no image](x)", "![no image\\](x)"),
        ("[ ] no box", "\\[ ] no box"),
        ("[x] no box", "\\[x] no box"),
        ("[!NOTE]", "\\[!NOTE]"),
        ("[^1] no footnote", "\\[^1] no footnote"),
        (("see [a]", "(b)"), "see [a\\](b)"),
        (("see [a]", "", "(b)"), "see [a\\](b)"),
        (("see [a]", Link("(b)", "/b")), "see [a\\](b)"),
        ((Strong("[a]"), "(b)"), "**[a]**(b)"),
        ((Code("[a]"), "(b)"), "`[a]`(b)"),
        ("[a]\u200b(b)", "[a\\](b)"),
    ],
)
def test_only_a_bracket_that_could_make_a_link_is_escaped(text: Text, written: str) -> None:
    assert markdown.inline(text) == written
