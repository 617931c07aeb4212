"""Documents as self-contained pages: no script, nothing from elsewhere, all text escaped.

Jinja2 escapes by itself; the templates beside this file say how each block looks, and one style
sheet serves every page.
"""

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from services.documents import charts
from services.documents.model import (
    Block,
    Code,
    Document,
    Inline,
    Strong,
    Text,
    nested,
    pieces,
)
from services.documents.printable import printable

#: The language of a page by that of its document.
_LANGUAGES = {"zh": "zh-CN"}


def render(document: Document) -> str:
    """Write a page."""
    template = environment().get_template("document.html")
    return template.render(document=document, language=_language(document.language))


@cache
def environment(*packages: str) -> Environment:
    """Return the templates: those of `packages`, which extend the ones beside this file."""
    templates = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, "services.documents")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"inline": inline, "nested": nested}
    templates.globals["charts"] = charts
    templates.tests["block"] = _is
    return templates


def inline(text: Text) -> Markup:
    """Write a text with its links and codes."""
    return Markup("").join(map(_piece, pieces(text)))


def _piece(piece: Inline) -> Markup:
    if isinstance(piece, str):
        return Markup("{}").format(printable(piece))
    words = printable(piece.text)
    if isinstance(piece, Code):
        return Markup("<code>{}</code>").format(words)
    if isinstance(piece, Strong):
        return Markup("<strong>{}</strong>").format(words)
    outward = "" if piece.href.startswith(("/", "#")) else Markup(' rel="noreferrer"')
    return Markup('<a href="{}"{}>{}</a>').format(piece.href, outward, words)


def _is(block: Block, name: str) -> bool:
    return type(block).__name__ == name


def _language(language: str) -> str:
    return _LANGUAGES.get(language, language)
