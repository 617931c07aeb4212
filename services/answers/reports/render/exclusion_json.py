"""Exclusions, the filtered basis and the reconciliation, as plain values for JSON."""

from typing import Any

from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.excluding import Classified, Exclusions
from projections.period_ledger.exclusions import EXCLUDED, DecidedClass
from projections.period_ledger.queries import Ledger
from projections.period_ledger.reconciliation import Kept, Reconciliation
from services.answers.reports.searches import searches


def exclusion_document(
    ledger: Ledger, found: Exclusions, full_name: str, reconciliation: Kept
) -> dict[str, Any]:
    """Return the keys that a report adds for its filtered basis."""
    return {
        "basis": {
            "counts": "raw",
            "filtered": "filtered",
            "excluded": list(EXCLUDED),
            "rules": found.digest,
        },
        "filtered": dict(found.filtered),
        "filtered_quality": dict(found.bounds),
        "exclusions": {kind: dict(outcomes) for kind, outcomes in found.table.items()},
        "exclusions_quality": found.quality,
        "excluded_requests": [
            classified(each) for each in found.requests.values() if each.verdict.excluded
        ],
        "decided_requests": [classified(each) for each in found.decided],
        "kept_without_proof": [
            {"number": each.number, "files": each.verdict.doubt} for each in found.doubtful
        ],
        "reconciliation": kept_document(reconciliation),
        "searches": {
            name: list(searches(name, full_name, ledger.a, ledger.b)) for name in DEFINITIONS
        },
    }


def classified(each: Classified) -> dict[str, Any]:
    """Return one request's class with its evidence: rules, every path, commits, records."""
    verdict = each.verdict
    return {
        "number": each.number,
        "class": verdict.kind,
        "outcome": each.outcome,
        "active": each.active,
        "rules": list(verdict.rules),
        "decision": None if verdict.decided is None else _decision(verdict.decided),
        "files": each.files.state,
        "files_from": each.files.origin,
        "paths": [
            {"path": path.path, "is": path.role, "rule": path.rule, "glob": path.glob}
            for path in verdict.paths
        ],
        "commits": list(each.files.commits),
        "records": sorted(_records(each)),
        "format_rules": sorted({one.rules for one in each.judgements}),
    }


def _decision(decided: DecidedClass) -> dict[str, Any]:
    return {
        "record": decided.record_id,
        "author": decided.author,
        "reason": decided.reason or None,
    }


def _records(each: Classified) -> set[str]:
    decided = each.verdict.decided
    own = set() if decided is None else {decided.record_id}
    return {*own, *each.files.records, *(one.record_id for one in each.judgements)}


def kept_document(found: Kept) -> dict[str, Any]:
    """Return what a report keeps and excludes; what is told is known by its themes alone."""
    return {
        "merged": len(found.merged),
        "kept": list(found.kept),
        "excluded": {kind: list(numbers) for kind, numbers in found.excluded.items()},
    }


def reconciliation_document(found: Reconciliation) -> dict[str, Any]:
    """Return where requests went: how many there were, and the numbers of each part."""
    return {
        "merged": len(found.merged),
        "told": list(found.told),
        "twins": list(found.twins),
        "excluded": {kind: list(numbers) for kind, numbers in found.excluded.items()},
        "not_told": list(found.not_told),
    }
