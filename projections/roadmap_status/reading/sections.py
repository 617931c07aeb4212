"""Which headings and collapsed blocks a line stands under."""

from dataclasses import dataclass, field
from typing import Final

from projections.roadmap_status.reading.prose import Prose

BOLD_LEVEL: Final = 7
"""Of a paragraph all in bold, below every heading."""

_DETAILS: Final = 0


@dataclass(slots=True)
class Sections:
    """The open headings; headings inside a collapsed block end with it."""

    opened: list[tuple[int, Prose]] = field(default_factory=list)

    def path(self) -> tuple[Prose, ...]:
        """Return the names that a line stands under, outermost first."""
        return tuple(name for _, name in self.opened if name.shown.strip())

    def above(self, level: int) -> tuple[Prose, ...]:
        """Return what a heading of this level would stand under."""
        kept = self.opened[: self._kept(level)]
        return tuple(name for _, name in kept if name.shown.strip())

    def enter(self, level: int, name: Prose) -> None:
        """Begin the section of a heading."""
        del self.opened[self._kept(level) :]
        self.opened.append((level, name))

    def enter_details(self, name: str) -> None:
        """Begin a collapsed block."""
        self.opened.append((_DETAILS, Prose(name, name)))

    def name_details(self, name: str) -> None:
        """Take the summary of a collapsed block that begins apart from it."""
        for at in range(len(self.opened) - 1, -1, -1):
            level, known = self.opened[at]
            if level == _DETAILS:
                if not known.shown:
                    self.opened[at] = (_DETAILS, Prose(name, name))
                return

    def leave_details(self) -> None:
        """End the innermost collapsed block, and the headings in it; none open: do nothing."""
        for at in range(len(self.opened) - 1, -1, -1):
            if self.opened[at][0] == _DETAILS:
                del self.opened[at:]
                return

    def _kept(self, level: int) -> int:
        kept = len(self.opened)
        while kept and self.opened[kept - 1][0] >= level:
            kept -= 1
        return kept
