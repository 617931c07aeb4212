"""Where the parts of a small chart stand: `templates/charts.html` draws them. Pure.

Every value is printed beside its bar, so that a chart says nothing that cannot be read. Lengths
are in the units of the drawing, from its upper left corner.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from services.documents.model import Bars, Days

WIDTH: Final = 640
LABEL: Final = 210
"""Room for the words before a bar."""
HEIGHT: Final = 130
"""Where the columns of days stand."""
_ROW: Final = 26
_NUMBER: Final = 60


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """One horizontal bar with its words and its value."""

    label: str
    value: int
    top: int
    length: int


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One day of one series; `nth` is the place of the series."""

    nth: int
    series: str
    day: str
    value: int
    left: float
    width: float
    height: float


def bars(chart: Bars) -> tuple[Bar, ...]:
    """Return one horizontal bar for each value, the longest as long as there is room."""
    most = max(*chart.values.values(), 1) if chart.values else 1
    room = WIDTH - LABEL - _NUMBER
    return tuple(
        Bar(label=label, value=value, top=place * _ROW, length=round(room * value / most))
        for place, (label, value) in enumerate(chart.values.items())
    )


def bars_height(chart: Bars) -> int:
    """Return how high the drawing of the bars is."""
    return len(chart.values) * _ROW + 4


def columns(chart: Days) -> Iterator[Column]:
    """Yield a column for each day of each series that is not 0."""
    step = WIDTH / len(chart.labels)
    width = max(step / len(chart.series) - 1, 0.5)
    most = most_of_a_day(chart)
    for nth, (name, values) in enumerate(chart.series.items()):
        for place, (day, value) in enumerate(zip(chart.labels, values, strict=True)):
            if value:
                yield Column(
                    nth=nth,
                    series=name,
                    day=day,
                    value=value,
                    left=place * step + nth * (width + 0.5),
                    width=width,
                    height=(HEIGHT - 14) * value / most,
                )


def most_of_a_day(chart: Days) -> int:
    """Return the highest value, at least 1: the top of the scale."""
    return max((value for values in chart.series.values() for value in values), default=0) or 1
