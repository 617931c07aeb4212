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

_NUMBER: Final = re.compile(r"\d+(?:[,_]\d{3}){0,12}(?:\.\d+)?(?:[eE][-+]?\d+)?")
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
    sources = [_plain(request.words) for request in cited]
    source_text = "\n".join((*sources, _plain(theme)))
    uncited = _CITATION.sub(" ", plain)
    reasons = [f"citation {match[0]} (we attach them)" for match in _CITATION.finditer(plain)]
    reasons += no_sentence(sentence, plain, language)
    reasons += _numbers(uncited, sources)
    reasons += [f"number {number}" for number in worded_numbers(uncited, source_text)]
    reasons += _lost_caveats(uncited, cited, language)
    reasons += [f"name {name}" for name in unknown_names(uncited, source_text, language)]
    if not reasons and unrelated(uncited, source_text):
        reasons.append("it names nothing that its sources name")
    return tuple(dict.fromkeys(reasons))


def _numbers(sentence: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield the figures, numbers and number words of a sentence that no source has."""
    with_unit = {figure for text in sources for figure in _figures(text)}
    for match in FIGURE.finditer(in_their_units(sentence)):
        if _joined(match) not in with_unit:
            yield f"figure {match[0]}"
    numbers = {_digits(number) for text in sources for number in _NUMBER.findall(text)}
    yield from (
        f"number {number}" for number in _NUMBER.findall(sentence) if _digits(number) not in numbers
    )
    worded = {word.lower() for text in sources for word in _WORDED.findall(text)}
    yield from (
        f"number {word}" for word in _WORDED.findall(sentence) if word.lower() not in worded
    )


def _lost_caveats(sentence: str, cited: Iterable[Cited], language: Language) -> list[str]:
    """A sentence with a figure keeps the caveats of the texts that have this figure."""
    stated = {match[0].lower() for match in CAVEATS.finditer(sentence)}
    used = _figures(sentence)
    lost = []
    for request in cited:
        text = _plain(request.words)
        limits = {match[0].lower() for match in CAVEATS.finditer(text)} - stated
        if language == "zh":
            limits = {caveat for caveat in limits if not keeps(caveat, sentence)}
        if limits and used & _figures(text):
            lost.append(f"caveat {', '.join(sorted(limits))} of #{request.number} is lost")
    return lost


def _plain(text: str) -> str:
    """Fold what looks alike: full-width digits, other minus signs, invisible characters."""
    folded = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


def _figures(text: str) -> set[str]:
    return {_joined(match) for match in FIGURE.finditer(in_their_units(text))}


def _joined(match: re.Match[str]) -> str:
    value = match["value"].lstrip("+-").replace(",", "").replace("_", "")
    return f"{value} {_UNITS.get(match['unit'], match['unit'])}"


def _digits(number: str) -> str:
    return number.replace(",", "").replace("_", "")
