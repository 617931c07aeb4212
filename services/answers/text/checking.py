"""What a sentence may say: only numbers, units, names and requests that its sources have. Pure.

It is the gate for sentences that a language model writes, in English or Chinese. It can't tell
whether a sentence is true; it refuses what is certainly not from the sources.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from events.facts.editions import Language
from projections.pull_requests.texts import RequestText
from services.answers.text.chinese import in_their_units, keeps, worded_numbers
from services.answers.text.figures import CAVEATS, FIGURE
from services.answers.text.prose import no_sentence, unknown_names, unrelated

_NUMBER: Final = re.compile(r"\d+(?:[,_]\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDED: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?"
    r"|millions?|half|halves|halved|twice|doubled?|doubles|tripled?|triples|quarter|threefold"
    r"|twofold|tenfold|percent|per cent)\b",
    re.IGNORECASE,
)
_CITATION: Final = re.compile(r"#\s?\d+|\bGH-\d+|/(?:pull|issues)/\d+|![0-9]+\b")
#: One unit, however many of it there are.
_UNITS: Final[Mapping[str, str]] = {
    "X": "x",
    "\u00d7": "x",
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "hour": "hours",
    "GPU": "GPUs",
    "kernel": "kernels",
    "step": "steps",
    "iteration": "iterations",
    "call": "calls",
    "point": "points",
}


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a sentence may rest on: its title and its text."""

    number: int
    title: str
    text: RequestText | None = None

    @property
    def words(self) -> str:
        """All that the request says."""
        return self.title if self.text is None else f"{self.title}\n{self.text.text}"


def faults(
    sentence: str, cited: Sequence[Cited], language: Language = "en", *, theme: str = ""
) -> tuple[str, ...]:
    """Return why a sentence is refused; empty where nothing in it lacks a source.

    `theme` is the name under which it stands; its words may be used as well.
    """
    plain = _plain(sentence)
    sources = [_plain(one.words) for one in cited]
    said = "\n".join((*sources, _plain(theme)))
    rest = _CITATION.sub(" ", plain)
    found = [f"citation {each[0]} (we attach them)" for each in _CITATION.finditer(plain)]
    found += no_sentence(sentence, plain, language)
    found += _numbers(rest, sources)
    found += [f"number {each}" for each in worded_numbers(rest, said)]
    found += _lost_caveats(rest, cited, language)
    found += [f"name {each}" for each in unknown_names(rest, said, language)]
    if not found and unrelated(rest, said):
        found.append("it names nothing that its sources name")
    return tuple(dict.fromkeys(found))


def _numbers(sentence: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield the figures, numbers and number words of a sentence that no source has."""
    with_unit = {each for text in sources for each in _figures(text)}
    for match in FIGURE.finditer(in_their_units(sentence)):
        if _joined(match) not in with_unit:
            yield f"figure {match[0]}"
    numbers = {_digits(each) for text in sources for each in _NUMBER.findall(text)}
    yield from (
        f"number {each}" for each in _NUMBER.findall(sentence) if _digits(each) not in numbers
    )
    worded = {each.lower() for text in sources for each in _WORDED.findall(text)}
    yield from (
        f"number {each}" for each in _WORDED.findall(sentence) if each.lower() not in worded
    )


def _lost_caveats(sentence: str, cited: Iterable[Cited], language: Language) -> list[str]:
    """A sentence with a figure keeps the caveats of the texts that have this figure."""
    said = {each[0].lower() for each in CAVEATS.finditer(sentence)}
    used = _figures(sentence)
    lost = []
    for one in cited:
        text = _plain(one.words)
        limits = {each[0].lower() for each in CAVEATS.finditer(text)} - said
        if language == "zh":
            limits = {each for each in limits if not keeps(each, sentence)}
        if limits and used & _figures(text):
            lost.append(f"caveat {', '.join(sorted(limits))} of #{one.number} is lost")
    return lost


def _plain(text: str) -> str:
    """Fold what looks alike: full-width digits, other minus signs, invisible characters."""
    folded = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    return "".join(each for each in folded if unicodedata.category(each) != "Cf")


def _figures(text: str) -> set[str]:
    return {_joined(match) for match in FIGURE.finditer(in_their_units(text))}


def _joined(match: re.Match[str]) -> str:
    value = match["value"].lstrip("+-").replace(",", "").replace("_", "")
    return f"{value} {_UNITS.get(match['unit'], match['unit'])}"


def _digits(number: str) -> str:
    return number.replace(",", "").replace("_", "")
