"""What a sentence may say: only numbers, units and requests that its sources have. Pure.

It is the gate for sentences that a language model writes. It can't tell whether a sentence is
true; it refuses what is certainly not from the sources.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from projections.pull_requests.text_queries import RequestText
from services.text.figures import CAVEATS, FIGURE

_NUMBER: Final = re.compile(r"\d+(?:[,_]\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDED: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?"
    r"|millions?|half|halves|halved|twice|doubled?|doubles|tripled?|triples|quarter|threefold"
    r"|twofold|tenfold|percent|per cent)\b",
    re.IGNORECASE,
)
_CITATION: Final = re.compile(r"#\s?\d+|\bGH-\d+|/(?:pull|issues)/\d+|![0-9]+\b")
#: A sentence is prose: no address, mention, mark-up or second line comes through.
_NOT_PROSE: Final = re.compile(r"https?:|www\.|@\w|[<>{}|\n\r]|\]\(")


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a sentence may rest on: its title and its text."""

    number: int
    title: str
    text: RequestText | None = None

    @property
    def words(self) -> str:
        """All that the request says."""
        return self.title if self.text is None else f"{self.title}\n{self.text.text}"


def faults(sentence: str, cited: Sequence[Cited]) -> tuple[str, ...]:
    """Return why a sentence is refused; empty where nothing in it lacks a source."""
    plain = _plain(sentence)
    sources = [_plain(one.words) for one in cited]
    found = [f"citation {each[0]} (we attach them)" for each in _CITATION.finditer(plain)]
    found += [f"no prose: {each[0].strip() or 'a new line'}" for each in _NOT_PROSE.finditer(plain)]
    rest = _CITATION.sub(" ", plain)
    with_unit = {_joined(m["value"], m["unit"]) for text in sources for m in FIGURE.finditer(text)}
    found += [
        f"figure {match[0]}"
        for match in FIGURE.finditer(rest)
        if _joined(match["value"], match["unit"]) not in with_unit
    ]
    numbers = {_digits(each) for text in sources for each in _NUMBER.findall(text)}
    found += [f"number {each}" for each in _NUMBER.findall(rest) if _digits(each) not in numbers]
    worded = {each.lower() for text in sources for each in _WORDED.findall(text)}
    found += [f"number {each}" for each in _WORDED.findall(rest) if each.lower() not in worded]
    found += _lost_caveats(rest, cited)
    return tuple(dict.fromkeys(found))


def _lost_caveats(sentence: str, cited: Iterable[Cited]) -> list[str]:
    """A sentence with a figure keeps the caveats of the texts that have this figure."""
    said = {each[0].lower() for each in CAVEATS.finditer(sentence)}
    used = {_joined(m["value"], m["unit"]) for m in FIGURE.finditer(sentence)}
    lost = []
    for one in cited:
        text = _plain(one.words)
        theirs = {_joined(m["value"], m["unit"]) for m in FIGURE.finditer(text)}
        limits = {each[0].lower() for each in CAVEATS.finditer(text)}
        if used & theirs and limits - said:
            lost.append(f"caveat {', '.join(sorted(limits - said))} of #{one.number} is lost")
    return lost


def _plain(text: str) -> str:
    """Fold what looks alike: full-width digits, other minus signs, invisible characters."""
    folded = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    return "".join(each for each in folded if unicodedata.category(each) != "Cf")


def _joined(value: str, unit: str) -> str:
    return f"{value.lstrip('+-').replace(',', '').replace('_', '')} {unit}"


def _digits(number: str) -> str:
    return number.replace(",", "").replace("_", "")
