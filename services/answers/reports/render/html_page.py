"""The report as one self-contained page; everything from outside is escaped by the template."""

from importlib.resources import files

from markdown_it import MarkdownIt

from services.answers.reports.assemble import Report
from services.answers.reports.render import markdown


def render(report: Report) -> str:
    """Render as HTML: the Markdown edition in a plain page, without scripts or outside parts."""
    return page(markdown.heading(report), markdown.render(report))


def page(title: str, text: str) -> str:
    """Return a plain page made from Markdown."""
    # raw HTML stays off: what a title says is text, whatever it looks like
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    template = (
        files("services.answers.reports.render").joinpath("page.html").read_text(encoding="utf-8")
    )
    return template.replace("{{title}}", _text(title)).replace("{{body}}", parser.render(text))


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
