"""Why is a request told, or not told, in the report of a period?"""

from collections.abc import Mapping
from typing import Final

import msgspec

from projections.period_ledger.counting import LedgerEntry
from projections.period_ledger.excluding import Classified
from projections.period_ledger.exclusions import DecidedClass
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.request_life import request_life

_DOUBTS: Final[Mapping[str, str]] = {
    "missing": "no complete list of its files is recorded, and nothing is excluded without one",
    "empty": "its list of files is empty, which proves nothing",
    "capped": "its list of files ends where the source lists no more, and more may follow",
}


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: `told` None of a request that is in no count, or whose part nothing decides.

    The report alone knows what may be told; `services.answers.editions.why` knows what is.

    `entries` are its rows of the period, by count.
    """

    report: Report
    number: int
    told: bool | None
    reason: str
    entries: Mapping[str, LedgerEntry]
    classified: Classified | None


def why(
    snapshot: Snapshot, question: ReportQuestion, number: int, histories: HistoryCache | None = None
) -> Why:
    """Answer for one request; raise NotFound for a number of which nothing is recorded."""
    return why_in(snapshot, assemble(snapshot, question, histories), number)


def why_in(snapshot: Snapshot, report: Report, number: int) -> Why:
    """Answer for one request from a report that was assembled in this snapshot."""
    entries = {
        name: entry
        for name, listed in report.entries.items()
        for entry in listed
        if entry.number == number
    }
    if not entries:  # tell "nothing of it in this period" from "nothing of it at all"
        request_life(snapshot, report.repo, number, report.as_of, report.known_at)
    told, reason = _decided(report, number, entries)
    return Why(
        report=report,
        number=number,
        told=told,
        reason=reason,
        entries=entries,
        classified=report.exclusions.requests.get(number),
    )


def _decided(
    report: Report, number: int, entries: Mapping[str, LedgerEntry]
) -> tuple[bool | None, str]:
    parts = report.reconciliation
    classified = report.exclusions.requests.get(number)
    if classified is None or not entries:
        return None, _absent(report, number)
    if number in parts.kept:
        return True, _kept(classified, f"{happened(entries)} and is kept")
    if classified.verdict.excluded:
        return False, _excluded(classified)
    if not classified.active:
        return None, "it was open all the time, and nothing happened to it in the period"
    if classified.outcome == "closed":
        return False, "it was closed without merge: such requests are counted and not told"
    return True, _kept(classified, happened(entries))


def happened(entries: Mapping[str, LedgerEntry]) -> str:
    """Return in one clause for what a request of these counts is in question."""
    if "landed" in entries:
        return "it was landed by a commit in the period"
    if "merged" in entries:
        return "it was merged in the period"
    return "it is open at the end and was active in the period"


def _absent(report: Report, number: int) -> str:
    head = next((head for head in report.candidates if head.number == number), None)
    if head is not None:
        hint = "; a test merge of it stands, as of open requests" if head.test_merge else ""
        return (
            "only its head is recorded, whose last commit is of this period: a candidate for in "
            f"progress, open or closed unproven{hint}"
        )
    unknown = any(quality == "unknown" for quality in report.quality.values())
    return (
        "nothing recorded puts it into this period; what was opened, closed or left open is not "
        "known, as only git history is recorded"
        if unknown
        else "nothing happened to it in this period"
    )


def _kept(classified: Classified, reason: str) -> str:
    if classified.verdict.decided is not None:
        return f"{reason}, {_decision(classified.verdict.decided)}"
    doubt = classified.verdict.doubt
    if doubt is not None:
        return f"{reason}, because {_DOUBTS[doubt]}"
    deciding = classified.verdict.deciding
    return reason if deciding is None else f"{reason}: no rule takes {deciding.path}"


def _excluded(classified: Classified) -> str:
    verdict = classified.verdict
    if verdict.decided is not None:
        return f"{verdict.kind}, {_decision(verdict.decided)}"
    return f"{verdict.kind}: {_rules(classified)}"


def _rules(classified: Classified) -> str:
    if classified.verdict.kind == "format-only":
        return "every difference was proven to change the format alone"
    words = "by the rules" if len(classified.verdict.rules) > 1 else "by the rule"
    return f"all of its paths are taken {words} {', '.join(classified.verdict.rules)}"


def _decision(decided: DecidedClass) -> str:
    """Write who decided the class of a request, and why: `as ada decided: it is about CI`."""
    reason = f": {decided.reason}" if decided.reason else ""
    return f"as {decided.author or 'a person'} decided{reason}"
