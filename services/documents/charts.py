"""Small charts as inline SVG: no script, no font, no outside part. Pure.

Every value is printed beside its bar, so that a chart says nothing that cannot be read.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape as escaped
from typing import Final

from services.documents.printable import printable

_WIDTH: Final = 640
_ROW: Final = 26
_LABEL: Final = 210
_NUMBER: Final = 60
_HEIGHT: Final = 130


def bars(title: str, values: Mapping[str, int]) -> str:
    """Draw one horizontal bar for each value; empty where there are none."""
    if not values:
        return ""
    most = max(*values.values(), 1)
    room = _WIDTH - _LABEL - _NUMBER
    rows = []
    for place, (label, value) in enumerate(values.items()):
        top, length = place * _ROW, round(room * value / most)
        rows.append(
            f'<text x="{_LABEL - 8}" y="{top + 18}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{_LABEL}" y="{top + 5}" width="{length}" height="16"/>'
            f'<text x="{_LABEL + length + 6}" y="{top + 18}">{value:,}</text>'
        )
    return _svg(title, len(values) * _ROW + 4, rows)


def days(title: str, labels: Sequence[str], series: Mapping[str, Sequence[int]]) -> str:
    """Draw counts by day, the series as groups of columns; `labels` are the days in order."""
    if not labels or not series:
        return ""
    most = max((value for values in series.values() for value in values), default=0) or 1
    step = _WIDTH / len(labels)
    width = max(step / len(series) - 1, 0.5)
    rows = [
        _column(place * step + nth * (width + 0.5), width, value, most, nth, label, name)
        for nth, (name, values) in enumerate(series.items())
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
        if value
    ]
    rows += _axis(labels, most)
    rows += [
        f'<rect class="s{nth}" x="{nth * 130}" y="{_HEIGHT + 26}" width="10" height="10"/>'
        f'<text x="{nth * 130 + 14}" y="{_HEIGHT + 35}">{escape(name)}</text>'
        for nth, name in enumerate(series)
    ]
    return _svg(title, _HEIGHT + 44, rows)


def _column(
    left: float, width: float, value: int, most: int, nth: int, label: str, name: str
) -> str:
    height = (_HEIGHT - 14) * value / most
    return (
        f'<rect class="s{nth}" x="{left:.1f}" y="{_HEIGHT - height:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"><title>{escape(label)}: {value:,} {escape(name)}</title></rect>'
    )


def _axis(labels: Sequence[str], most: int) -> list[str]:
    return [
        f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT}" y2="{_HEIGHT}"/>',
        f'<text x="0" y="{_HEIGHT + 15}">{escape(labels[0])}</text>',
        f'<text x="{_WIDTH}" y="{_HEIGHT + 15}" text-anchor="end">{escape(labels[-1])}</text>',
        f'<text x="0" y="10">{most:,}</text>',
    ]


def _svg(title: str, height: int, rows: Iterable[str]) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {height}" '
        f'role="img" aria-label="{escape(title)}">{"".join(rows)}</svg></figure>'
    )


def escape(text: str) -> str:
    """Make text from outside mean itself."""
    return escaped(printable(text))
