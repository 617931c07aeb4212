"""What a text, a box or a mark can assert of an item or of a link, and which marks assert it.

Marks are emoji, with or without their variation selector, and colon codes. Which states they mean
is a convention; a document's legend goes first. These are the defaults: a cross means dropped (not
blocked), a rocket shipped. Coloured circles mean something else in every project and are none.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import msgspec


class State(StrEnum):
    """One asserted state. Asserted, not true: facts say what is true."""

    NONE = "none"
    """Nothing is asserted; a mark or word that is not known asserts nothing."""
    DELIVERED = "delivered"
    FOUNDATION_DELIVERED = "foundation delivered"
    PARTLY_DELIVERED = "partly delivered"
    IN_PROGRESS = "in progress"
    OPEN = "open"
    DRAFT = "draft"
    PLANNED = "planned"
    """Also what was put off: it is still meant to come."""
    NOT_DONE = "not done"
    BLOCKED = "blocked"
    DROPPED = "dropped"
    CLOSED = "closed"
    """Closed, and not said whether done."""
    CLOSED_UNMERGED = "closed, unmerged"
    REVERTED = "reverted"
    RESTORED = "restored"

    @property
    def done(self) -> bool:
        """Tell whether the text says that all of it is there."""
        return self in (State.DELIVERED, State.RESTORED)

    @property
    def unfinished(self) -> bool:
        """Tell whether the text says that something is still to come."""
        return self in _UNFINISHED


_UNFINISHED = frozenset(
    (
        State.PARTLY_DELIVERED,
        State.FOUNDATION_DELIVERED,
        State.IN_PROGRESS,
        State.OPEN,
        State.DRAFT,
        State.PLANNED,
        State.NOT_DONE,
        State.BLOCKED,
    )
)


_SYMBOLS: Final[Mapping[State, str]] = {
    State.DELIVERED: "✅ ✔ ☑ 🚀 🎉 🏁 🚢",
    State.IN_PROGRESS: "🚧 🏗 🔄 ⏳ ⌛ 🛠 🔨",
    State.PLANNED: "📋 📅 📆 🗓 🔜 🔮 💡 📝",
    State.NOT_DONE: "⬜ ☐ ◻ 🔲",
    State.BLOCKED: "⛔ 🛑 ⏸",
    State.DROPPED: "❌ ✖ ✗ ✘ 🚫 🗑",
    State.REVERTED: "⏪ ↩",
}
_CODES: Final[Mapping[State, str]] = {
    State.DELIVERED: "white_check_mark heavy_check_mark ballot_box_with_check rocket tada "
    "checkered_flag ship",
    State.IN_PROGRESS: "construction building_construction arrows_counterclockwise hourglass "
    "hourglass_flowing_sand hammer_and_wrench hammer",
    State.PLANNED: "clipboard calendar date spiral_calendar soon crystal_ball bulb memo",
    State.NOT_DONE: "white_large_square black_square_button",
    State.BLOCKED: "no_entry octagonal_sign pause_button stop_sign",
    State.DROPPED: "x heavy_multiplication_x no_entry_sign wastebasket",
    State.REVERTED: "rewind leftwards_arrow_with_hook",
}

_SELECTORS: Final = "[\ufe0e\ufe0f]?"


def _defaults() -> dict[str, State]:
    symbols = {mark: state for state, marks in _SYMBOLS.items() for mark in marks.split()}
    codes = {f":{code}:": state for state, names in _CODES.items() for code in names.split()}
    return symbols | codes


DEFAULT_MARKS: Final[Mapping[str, State]] = _defaults()


class Mark(msgspec.Struct, frozen=True):
    """One mark in a text, as a half-open range that includes its selector."""

    start: int
    end: int
    mark: str
    state: State


def bare_mark(mark: str) -> str:
    """Return what two spellings of one mark share."""
    return mark.strip().replace("\ufe0f", "").replace("\ufe0e", "")


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one document."""

    states: Mapping[str, State] = field(default_factory=lambda: DEFAULT_MARKS)
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        """Build the pattern once: it is used on every line."""
        longest_first = sorted(self.states, key=lambda mark: (-len(mark), mark))
        either = "|".join(re.escape(mark) for mark in longest_first)
        object.__setattr__(self, "pattern", re.compile(f"({either}){_SELECTORS}"))

    def find(self, text: str) -> Iterator[Mark]:
        """Yield the marks of a text in order."""
        for match in self.pattern.finditer(text):
            yield Mark(match.start(), match.end(), match[1], self.states[match[1]])
