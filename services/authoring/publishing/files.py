"""Editions as files: one for each language and format, the complete ledger beside them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from events.facts.editions import Language
from services.answers.editions.edition import Edition
from services.answers.editions.forms import edition_forms
from services.answers.questions.period import Period
from services.answers.questions.question import Shape
from services.documents.forms import render

#: These hold every language at once, or none.
WITHOUT_LANGUAGE: Final = ("json", "csv")


class EditionFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file; `changes` tells whether the folder holds other bytes under its name."""

    name: str
    form: str
    language: Language | None
    text: str
    changes: bool


def plan_files(
    edition: Edition,
    folder: Path,
    languages: Sequence[Language],
    forms: Iterable[str],
    shape: Shape,
) -> list[EditionFile]:
    """Return the files of an edition, and which of them the folder lacks or holds otherwise."""
    stem = file_stem(edition.report.full_name, edition.report.period, edition.releases)
    planned = []
    for form in forms:
        wanted: Sequence[Language | None] = (None,) if form in WITHOUT_LANGUAGE else languages
        for language in wanted:
            text = render(edition_forms(edition, language or "en", shape), form)
            name = f"{stem}.{form}" if language is None else f"{stem}.{language}.{form}"
            path = folder / name
            same = path.is_file() and path.read_bytes() == text.encode()
            planned.append(
                EditionFile(name=name, form=form, language=language, text=text, changes=not same)
            )
    return planned


def write_files(folder: Path, files: Iterable[EditionFile]) -> None:
    """Write the files that change, each at once, so that nobody reads half of one."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        if file.changes:
            part = folder / f".{file.name}.part"
            part.write_bytes(file.text.encode())
            os.replace(part, folder / file.name)


def file_stem(full_name: str, period: Period, releases: tuple[str, str] | None = None) -> str:
    """Return what the names of an edition's files begin with: `megatron-lm-2026-08`."""
    project = _plain(full_name.rpartition("/")[2]).lower()
    if releases is not None:
        return f"{project}-{'-to-'.join(map(_plain, releases))}"
    first = period.first_day
    match period.kind:
        case "Monthly":
            when = f"{first:%Y-%m}"
        case "Quarterly":
            when = f"{first.year}-q{(first.month + 2) // 3}"
        case _:
            when = f"{first.isoformat()}-to-{period.last_day.isoformat()}"
    return f"{project}-{when}"


def _plain(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-._" else "-" for char in name)
