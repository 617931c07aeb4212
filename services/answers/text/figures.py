"""Figures in a request's own text, quoted as they stand, with what limits them. Pure.

A quotation is a whole sentence, list entry or table row: the unit, the direction (`lower`, `from …
to …`) and the condition (`on 4 GPUs`) stay with the number. Each is a substring of one version of
the text, named by its digest. Two things only are derived, both from one column of one table: its
lowest to highest value, and its number of rows.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import msgspec

from projections.pull_requests.texts import RequestText

#: A number with its sign, group marks, decimals, exponent and unit, as far as they stand there.
_NUMBER: Final = r"[-+\u2212]?\d+(?:[,_]\d{3}){0,12}(?:\.\d+)?(?:[eE][-+\u2212]?\d+)?"
_UNITS: Final = (
    r"%|\u00d7|[xX](?![\w-])|(?:[kKMGT]i?)?B(?:/s)?|[nu\u00b5\u03bcm]?s(?:ec(?:onds?)?)?|minutes?|min"
    r"|hours?"
    r"|[kMGTP]?FLOPS?(?:/s)?(?:/GPU)?|tok(?:en)?s?(?:/s(?:/GPU)?|/sec)?"
    r"|it(?:erations?)?/s|samples?/s|GPUs?|kernels?|steps?|iterations?|calls?|W|GHz|MHz|points?|pp"
)
FIGURE: Final = re.compile(
    rf"(?<![\w.#/-])(?P<value>{_NUMBER})\s?(?P<unit>(?:{_UNITS})(?![\w]))", re.ASCII
)
CAVEATS: Final = re.compile(
    r"\b(?:drafts?|WIP|work in progress|not (?:yet )?(?:been )?(?:fully )?(?:tested|executed|run"
    r"|verified|validated|measured|benchmarked)|un(?:tested|verified|validated)|proxy|proxies"
    r"|preliminary|estimated?s?|projected|theoretical(?:ly)?|simulated|synthetic|toy|expected"
    r"|experimental|approximate(?:ly)?|(?:only|just) on|single run|noisy|may vary|TODO|TBD)\b",
    re.IGNORECASE,
)
_NOT_SAID: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s++(?=[A-Z\[`*(])")
_MARKS: Final = " \t\r*+-•>"


class Quotation(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a request's text: `quote == text[start:end]` of the version `digest`.

    `figures` are the numbers with their units in it, exactly as they stand there; `caveats` are
    the words that limit it, in it or anywhere in the same text.
    """

    number: int
    digest: str
    start: int
    end: int
    quote: str
    figures: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    def fits(self, text: RequestText) -> bool:
        """Tell whether it still stands in a text: same version, same place."""
        return text.digest == self.digest and text.text[self.start : self.end] == self.quote


def quotations(text: RequestText) -> tuple[Quotation, ...]:
    """Return every sentence of a text that has a figure, with the caveats of the whole text."""
    limits = caveats(text.text)
    return tuple(
        Quotation(
            number=text.number,
            digest=text.digest,
            start=start,
            end=end,
            quote=text.text[start:end],
            figures=sentence_figures,
            caveats=limits,
        )
        for start, end in _pieces(text.text)
        if (sentence_figures := figures(text.text[start:end]))
    )


def figures(piece: str) -> tuple[str, ...]:
    """Return the numbers with units in a piece of text, as they stand there."""
    return tuple(match[0] for match in FIGURE.finditer(piece))


def caveats(text: str) -> tuple[str, ...]:
    """Return the words of a text that limit what it says, each once, as they stand there."""
    blanked = _blanked(text)
    return tuple(dict.fromkeys(match[0] for match in CAVEATS.finditer(blanked)))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of sentences and list entries; table rows are for `tables`."""
    blanked, start = _blanked(text), 0
    for line in blanked.split("\n"):
        if "|" not in line:
            cuts = [0, *(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]
            for begin, end in pairwise(cuts):
                piece = line[begin:end]
                left = len(piece) - len(piece.lstrip(_MARKS))
                right = len(piece.rstrip())
                if left < right:
                    yield start + begin + left, start + begin + right
        start += len(line) + 1


def _blanked(text: str) -> str:
    """Return the text with comments and code blanked, so that places stay what they are."""
    return _NOT_SAID.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
