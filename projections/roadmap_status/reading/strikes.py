"""What GitHub strikes through: text between two tildes, and between single ones.

A run of one or two tildes opens or closes; three and more are text. An opener is closed by a run
of its own length alone. A single tilde between two digits ("1~2 weeks") is a range and strikes
nothing.
"""

from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline.state_inline import Delimiter, StateInline

_MARKERS: Final = {1: 0x223C, 2: 0x7E}
"""By length. The parser pairs equal markers only; that of single tildes is not in any text."""


def strike_tildes(parser: MarkdownIt) -> None:
    """Let a parser read strikes as GitHub does."""
    parser.inline.ruler.at("strikethrough", _tokenize)
    parser.inline.ruler2.at("strikethrough", _finish)
    parser.enable("strikethrough")


def _tokenize(state: StateInline, silent: bool) -> bool:
    if silent or state.src[state.pos] != "~":
        return False
    run = state.scanDelims(state.pos, True)
    token = state.push("text", "", 0)
    token.content = "~" * run.length
    marker = _MARKERS.get(run.length)
    if marker is not None and not (run.length == 1 and _in_range(state.src, state.pos)):
        state.delimiters.append(
            Delimiter(
                marker=marker,
                length=0,  # the rule of three is for emphasis
                token=len(state.tokens) - 1,
                end=-1,
                open=run.can_open,
                close=run.can_close,
            )
        )
    state.pos += run.length
    return True


def _in_range(text: str, at: int) -> bool:
    return text[max(0, at - 1) : at].isdigit() and text[at + 1 : at + 2].isdigit()


def _finish(state: StateInline) -> None:
    _mark(state, state.delimiters)
    for meta in state.tokens_meta:
        if meta and "delimiters" in meta:
            _mark(state, meta["delimiters"])


def _mark(state: StateInline, delimiters: Sequence[Delimiter]) -> None:
    markers = _MARKERS.values()
    for opener in delimiters:
        if opener.marker not in markers or opener.end < 0:
            continue
        first, last = state.tokens[opener.token], state.tokens[delimiters[opener.end].token]
        first.type, first.nesting = "s_open", 1
        last.type, last.nesting = "s_close", -1
        for token in (first, last):
            token.tag, token.markup, token.content = "s", token.content, ""
