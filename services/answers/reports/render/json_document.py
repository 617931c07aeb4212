"""The report for machines: every count with its quality, rows and deciding records."""

import json
from typing import Any

import msgspec

from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from projections.period_ledger.quality import Doubt
from services.answers.reports.assemble import Report
from services.answers.reports.coverage_summary import coverage_summary
from services.answers.reports.of_which import of_which
from services.answers.reports.render.exclusion_json import exclusion_document
from services.answers.reports.wording import rfc3339


def render(report: Report) -> str:
    """Render as JSON, keys in a fixed order."""
    return json.dumps(document(report), ensure_ascii=False, indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """Return the report as plain values; times are RFC 3339 in UTC."""
    ledger = report.ledger
    return {
        "repository": {
            "name": report.full_name,
            "key": report.repo,
            "default_branch": report.default_branch or None,
        },
        "period": {
            "from": rfc3339(report.period.start),
            "to": rfc3339(report.period.end),
            "tz": report.period.zone,
            "end": rfc3339(report.end),
            "cut": report.is_cut,
        },
        "as_of": rfc3339(report.as_of),
        "known_at": rfc3339(report.known_at),
        "caught_up_at": rfc3339(report.caught_up_at),
        "settled": report.settled,
        "counts": report.counts,
        "quality": report.quality,
        "definitions": dict(DEFINITIONS),
        **exclusion_document(ledger, report.exclusions, report.full_name, report.reconciliation),
        "by_base": ledger.by_base,
        "of_which": {name: msgspec.to_builtins(parts) for name, parts in of_which(report).items()},
        "events": ledger.events,
        "balance": {
            "difference": ledger.balance,
            "balanced": None if ledger.balance is None else ledger.balance == 0,
        },
        "coverage_summary": {
            language: coverage_summary(report, language) for language in ("en", "zh")
        },
        "coverage": [_doubt(doubt) for doubt in report.coverage],
        "released": _released(report),
        "ledger": {
            name: [_entry(report, entry) for entry in entries]
            for name, entries in report.entries.items()
        },
        "undated": [_entry(report, entry) for entry in ledger.undated],
    }


def _entry(report: Report, entry: LedgerEntry) -> dict[str, Any]:
    shown = report.requests.get(entry.number)
    placed = report.places.requests.get(entry.number) if report.places else None
    return {
        "number": entry.number,
        "title": shown.title if shown else None,
        "author": shown.author if shown else None,
        "base": entry.base,
        "at": rfc3339(entry.at),
        "evidence": entry.evidence,
        "record": entry.record_id,
        "flags": list(entry.flags),
        "recognised_by": shown.recognised_by if shown and entry.evidence == "git" else None,
        "branches": list(placed.branches) if placed else None,
        "releases": list(placed.releases) if placed else None,
        "places_certain": placed.certain if placed else None,
    }


def _released(report: Report) -> list[dict[str, Any]] | None:
    if report.places is None:
        return None
    return [
        {
            "release": one.tag,
            "aliases": list(one.aliases),
            "at": rfc3339(one.at),
            "dated_by": one.evidence,
            "against": one.against,
            "new": one.new,
            "removed": one.removed,
            "record": one.record_id,
        }
        for one in report.places.released
    ]


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {
        "kind": doubt.kind,
        "says": doubt.says,
        "from": rfc3339(doubt.start),
        "to": rfc3339(doubt.end),
        "numbers": list(doubt.numbers),
        "evidence": list(doubt.evidence),
    }
