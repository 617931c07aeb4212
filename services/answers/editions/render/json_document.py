"""Editions for machines: the report's document, and what is told of it in every language."""

import json
from typing import Any

from projections.period_ledger.change_groups.members import Pair
from services.answers.editions.edition import Edition, EditionTheme, Line, ReviewNote, ToldChange
from services.answers.editions.render.figures import heading
from services.answers.editions.words import LANGUAGES
from services.answers.reports.render.exclusion_json import reconciliation_document
from services.answers.reports.render.json_document import document as report_document


def render(edition: Edition) -> str:
    """Render as JSON, keys in a fixed order."""
    return json.dumps(document(edition), ensure_ascii=False, indent=2) + "\n"


def document(edition: Edition) -> dict[str, Any]:
    """Return an edition as plain values."""
    report = edition.report
    return {
        **report_document(report),
        "reconciliation": reconciliation_document(edition.reconciliation),
        "title": {language: heading(edition, language) for language in LANGUAGES},
        **edition_keys(edition),
    }


def edition_keys(edition: Edition) -> dict[str, Any]:
    """Return what every edition tells, whatever it is about: stage, texts, themes, what waits."""
    return {
        "stage": edition.stage or None,
        "overview": _lines(edition.overview),
        "themes": themes_document(edition),
        "left_over": {
            section: [_change(one) for one in changes]
            for section, changes in edition.left_over.items()
        },
        "not_told": [
            {"number": number, "why": why} for number, why in sorted(edition.not_told.items())
        ],
        "gaps": {language: list(edition.gaps(language)) for language in LANGUAGES},
        "may_be_one_change": [pair_document(one) for one in edition.uncertain],
        "look_again": [look_document(one) for one in edition.looks],
        "stale_translations": [look_document(one) for one in edition.stale],
    }


def themes_document(edition: Edition) -> list[dict[str, Any]]:
    """Return the themes in the order in which they are told, with the numbers of each."""
    return [_theme(theme) for theme in edition.themes]


def pair_document(pair: Pair) -> dict[str, Any]:
    """Return two requests that may land one change, why so, and why it is not certain."""
    return {
        "id": pair.id,
        "number": pair.number,
        "of": pair.origin,
        "kind": pair.kind.value,
        "by": pair.method,
        "says": pair.says,
        "doubt": pair.doubt,
        "confidence": pair.confidence,
    }


def look_document(one: ReviewNote) -> dict[str, Any]:
    """Return what a person should look at again."""
    return {"about": one.about, "why": one.why, "records": list(one.records)}


def _theme(theme: EditionTheme) -> dict[str, Any]:
    return {
        "section": theme.section,
        "theme": theme.key,
        "names": dict(theme.names),
        "how": theme.how,
        "pulls": list(theme.numbers),
        "summary": _lines(theme.summary),
        "changes": [_change(one) for one in theme.changes],
    }


def _change(change: ToldChange) -> dict[str, Any]:
    told, made = change.told, change.made
    return {
        "told_under": change.lead,
        "as": told.telling,
        "requests": [
            {
                "number": number,
                "base": one.base,
                "state": one.state,
                "merged_here": number in told.landed,
                "merged_before": number in told.earlier,
            }
            for number, one in change.members.items()
        ],
        "ties": [
            {"number": pair.number, "of": pair.origin, "by": pair.method, "says": pair.says}
            for pair in told.group.pairs
        ],
        "bullets": _lines(change.bullets),
        "caveats": list(made.caveats),
        "quotable": [
            {
                "number": one.number,
                "quote": one.quote,
                "figures": list(one.figures),
                "caveats": list(one.caveats),
                "text_version": one.digest,
            }
            for one in made.quotations
        ],
        "quotable_columns": [
            {
                "number": one.number,
                "heading": one.heading,
                "span": one.span,
                "rows": one.rows,
                "caveats": list(one.caveats),
                "text_version": one.digest,
            }
            for one in made.columns
        ],
    }


def _lines(lines: Any) -> dict[str, Any]:
    return {language: _line(line) for language, line in lines.items()}


def _line(line: Line) -> dict[str, Any]:
    return {"text": line.text, "from": line.origin, "records": list(line.records)}
