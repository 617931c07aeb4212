"""A restatement as plain values for JSON; times are RFC 3339 in UTC."""

from typing import Any

import msgspec

from projections.period_ledger.quality import Doubt
from services.answers.reports.wording import rfc3339
from services.audit.restatements.restatement import Cause, Explained, Restatement, Side
from services.audit.restatements.tracing import Change


def document(found: Restatement) -> dict[str, Any]:
    """Return everything, in the order in which it is ranked."""
    return {
        "repository": {"name": found.full_name, "key": found.repo},
        "period": {
            "from": rfc3339(found.period.start),
            "to": rfc3339(found.period.end),
            "tz": found.period.zone,
        },
        "before": _side(found.before),
        "after": _side(found.after),
        "changes": [_change(each) for each in found.changes],
        "requests": [_explained(each) for each in found.requests],
        "unlisted": [_cause(each) for each in found.unlisted],
        "coverage": {
            "gone": [_doubt(each) for each in found.doubts_gone],
            "new": [_doubt(each) for each in found.doubts_new],
            "records": [_cause(each) for each in found.coverage_records],
        },
        "told_before": [msgspec.to_builtins(one) for one in found.told],
    }


def as_json(found: Restatement) -> str:
    """Write a restatement as JSON, indented."""
    return msgspec.json.format(msgspec.json.encode(document(found)), indent=2).decode() + "\n"


def _side(side: Side) -> dict[str, Any]:
    return {
        "known_at": rfc3339(side.known_at),
        "end": rfc3339(side.end),
        "rules": side.rules,
        "answers": side.answers,
        "edition": side.edition,
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "basis": change.name.basis,
        "count": change.name.count,
        "before": change.before.value,
        "after": change.after.value,
        "difference": change.difference,
        "quality_before": change.before.quality or None,
        "quality_after": change.after.quality or None,
        "in": [move.number for move in change.moves if move.into],
        "out": [move.number for move in change.moves if not move.into],
        "unlisted": change.unlisted,
    }


def _explained(each: Explained) -> dict[str, Any]:
    return {
        "number": each.number,
        "cause": _cause(each.cause),
        "moves": [{"basis": name.basis, "count": name.count, "by": by} for name, by in each.moves],
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "kind": cause.kind,
        "says": cause.says or None,
        "record": cause.record,
        "source": cause.source,
        "recorded_at": rfc3339(cause.recorded_at),
    }


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {"kind": doubt.kind, "says": doubt.says, "evidence": list(doubt.evidence)}
