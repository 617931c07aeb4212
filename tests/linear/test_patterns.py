"""No regular expression of the packages takes more than linear time, whatever it is given."""

import re
from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from projections.release_inclusion.messages.reading import readable
from tests.linear.cpu import LIMIT, NOISE, Reading, TooSlow, deadline, growth, seconds
from tests.linear.patterns import Found, dynamic, patterns
from tests.linear.pumps import Pump, general, pumps

SIZE: Final = 2_000
"""Characters: enough that quadratic time stands out, four times as many are read in a second."""
_FEW: Final = 25
"""How many drawn strings the fast set tries with a pattern."""

#: Patterns that stand in a table or are handed on, with the ways in which they are used.
USED_AS: Final = {
    "projections/period_ledger/change_groups/branch_names.py:_READ": ("fullmatch",),
    "projections/period_ledger/change_groups/port_words.py:_CERTAIN": ("match",),
}
#: These read only what `readable` lets through: no long runs of white space.
_PREPARED: Final = (
    "projections/release_inclusion/messages/picks.py:",
    "projections/release_inclusion/messages/reverts.py:",
)
#: Where functions build patterns, and of what: an outsider writes no more than escaped words.
BUILT: Final = {
    "projections/period_ledger/exclusions.py:_compiled": "globs and titles of the configuration",
    "projections/period_ledger/globs.py:pattern_of": "globs of the configuration",
    "projections/period_ledger/themes.py:check": "titles of the configuration",
    "projections/period_ledger/themes.py:takes": "titles of the configuration",
    "projections/release_inclusion/messages/references.py:bringing_title": "configured branches",
    "services/intake/archive/importer.py:__init__": "names and ids of repositories, escaped",
    "projections/roadmap_status/status/parts.py:_restores": "one number",
    "projections/roadmap_status/words/phrases.py:__post_init__": "a legend's words, escaped",
    "projections/roadmap_status/words/states.py:__post_init__": "a legend's marks, escaped",
    "services/answers/editions/reading.py:_excluded": "our own words, escaped",
    "services/answers/editions/reading.py:_pattern": "our own templates, which modules hold",
    "services/answers/text/chinese.py:_said": "our own words for one digit",
    "services/answers/text/chinese.py:keeps": "our own words for limits",
    "services/answers/text/prose.py:_begins_a_word": "one name, escaped",
    "services/intake/git/command.py:_fault": "our own words for what git says",
}


def name_of(found: Found) -> str:
    return found.place


def uses_of(found: Found) -> tuple[str, ...]:
    return USED_AS.get(found.place, found.uses)


def reading_of(found: Found, use: str) -> Reading:
    """Return what one use of a pattern does to a text."""
    pattern = found.pattern
    if isinstance(pattern.pattern, bytes):
        method = getattr(pattern, "finditer" if use == "all" else use)
        return lambda text: _drain(method(text.encode()))
    method = getattr(pattern, "finditer" if use == "all" else use)
    if found.place.startswith(_PREPARED):
        return lambda text: _drain(method(readable(text)))
    return lambda text: _drain(method(text))


def _drain(matches: object) -> None:
    if isinstance(matches, Iterator):
        deque(matches, maxlen=0)


def strings(found: Found) -> list[Pump]:
    source = found.pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    return pumps(text, found.pattern.flags)


def attack(reading: Reading, drawn: list[Pump], size: int = SIZE) -> list[tuple[Pump, float]]:
    """Return the strings that take more than linear time: at most one, as each costs seconds."""
    for pump in drawn:
        try:
            with deadline():
                suspect = seconds(reading, pump.text(size)) > NOISE / 2
        except TooSlow:
            return [(pump, float("inf"))]
        factor = growth(reading, pump.text, size) if suspect else None
        if factor is not None and factor > LIMIT:
            return [(pump, factor)]
    return []


def sampled(drawn: list[Pump], most: int) -> list[Pump]:
    """Return some of the strings, always the same ones."""
    return drawn if len(drawn) <= most else Random(0).sample(drawn, most)


@pytest.mark.parametrize("found", patterns(), ids=name_of)
def test_a_pattern_takes_linear_time(found: Found) -> None:
    drawn = [*general(), *sampled(strings(found), _FEW)]
    for use in uses_of(found):
        assert attack(reading_of(found, use), drawn) == []


@pytest.mark.slow
@pytest.mark.parametrize("found", patterns(), ids=name_of)
def test_a_pattern_takes_linear_time_with_every_string_drawn_from_it(found: Found) -> None:
    for use in uses_of(found):
        assert attack(reading_of(found, use), strings(found), 2 * SIZE) == []


def test_every_pattern_that_functions_build_is_known() -> None:
    assert {place for place in dynamic() if place not in BUILT} == set()


def test_every_exception_names_a_pattern_that_is_there() -> None:
    places = {found.place for found in patterns()}
    assert set(USED_AS) <= places
    assert set(BUILT) <= set(dynamic())


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"\s*\n", "all"),
        (r"(?m)^\s*x$", "all"),
        (r"(?:a|a)*b", "match"),
        (r"(?:\w+\s*)*;", "match"),
        (r"<!--.*?-->", "all"),
        (r"previous[^.;]*see", "search"),
        (r"\[[^\]]*\]", "all"),
        (r"\d+(?:,\d{3})*!", "search"),
    ],
)
def test_the_attack_finds_a_slow_pattern(pattern: str, use: str) -> None:
    found = Found(place="here", pattern=re.compile(pattern), uses=(use,))
    assert attack(reading_of(found, use), [*general(), *strings(found)], 2 * SIZE) != []
