"""Figures of editions published before Shipledger, where they are kept as JSON. Pure.

    {"time_zone": "Asia/Shanghai", "2026-07": {"opened": 506, "merged": 249, …, "themes": […]}}

or the inner object alone. A theme is `{"section", "theme", "pulls"}`, as in our own JSON.
"""

from typing import Any, Final

import msgspec

from events.facts.editions import Section, ToldTheme
from services.answers.editions.reading import ReadEdition
from services.answers.editions.words import CLASSES

_FIGURES: Final = {
    "opened": "opened",
    "merged": "merged",
    "closed_without_merge": "closed_without_merge",
    "opened_in_period_still_open_at_end": "opened_and_still_open",
    "opened_and_still_open": "opened_and_still_open",
}


class _Theme(msgspec.Struct, frozen=True):
    section: Section
    theme: str
    pulls: tuple[int, ...]


class _Kept(msgspec.Struct, frozen=True):
    range: tuple[str, str] | None = None
    excluded: dict[str, int] = {}
    themes: tuple[_Theme, ...] = ()


def read_json(raw: bytes, period: str) -> ReadEdition:
    """Read the figures of a period by its name; raise ValueError where they are not there."""
    try:
        document = msgspec.json.decode(raw, type=dict[str, Any])
        inner = document.get(period, document)
        contents = msgspec.convert(inner, _Kept)
        figures = {
            ours: msgspec.convert(inner[name], int)
            for name, ours in _FIGURES.items()
            if name in inner
        }
    except msgspec.MsgspecError as error:
        raise ValueError(f"this is not an edition in JSON: {error}") from error
    if not figures and not contents.themes:
        raise ValueError(f"it tells neither figures nor themes of {period}")
    excluded = {name.replace("_", "-"): value for name, value in contents.excluded.items()}
    return ReadEdition(
        language="en",
        title=f"{document.get('repository', '')} {period}".strip(),
        figures=dict(figures),
        excluded={kind: excluded[kind] for kind in CLASSES if kind in excluded},
        themes=tuple(
            ToldTheme(section=theme.section, name=theme.theme, numbers=tuple(sorted(theme.pulls)))
            for theme in contents.themes
        ),
        bullets=(),
        zone=str(document.get("time_zone", "")),
    )
