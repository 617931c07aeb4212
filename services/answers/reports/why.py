"""Why is a request told, or not told, in the report of a period?"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from projections.period_ledger.counting import DEFINITIONS, LedgerEntry
from projections.period_ledger.excluding import Classified
from projections.period_ledger.exclusions import DecidedClass
from projections.release_inclusion.view import HistoryCache
from projections.store.snapshot import Snapshot
from services.answers.questions.question import ReportQuestion
from services.answers.reports.assemble import Report, assemble
from services.answers.reports.render.exclusion_json import classified
from services.answers.reports.request_life import request_life
from services.answers.reports.wording import counted, local, rfc3339, title

_ORIGINS: Final[Mapping[str, str]] = {
    "landing": "its landing",
    "head": "the commits of its head",
    "api": "a list of the API",
    "nothing": "nothing that is recorded",
}
_DOUBTS: Final[Mapping[str, str]] = {
    "missing": "no complete list of its files is recorded, and nothing is excluded without one",
    "empty": "its list of files is empty, which proves nothing",
    "capped": "its list of files ends where the source lists no more, and more may follow",
}

#: So many paths have a line of their own.
_PATHS: Final = 20


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
    report = assemble(snapshot, question, histories)
    entries = {
        name: entry
        for name, found in report.entries.items()
        for entry in found
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
    found = report.exclusions.requests.get(number)
    if found is None or not entries:
        return None, _absent(report)
    if number in parts.kept:
        return True, _kept(found, "it was merged in the period and is kept")
    if found.verdict.excluded:
        return False, _excluded(found)
    if not found.active:
        return None, "it was open all the time, and nothing happened to it in the period"
    if found.outcome == "closed":
        return False, "it was closed without merge: such requests are counted and not told"
    return True, _kept(found, "it is open at the end and was active in the period")


def _absent(report: Report) -> str:
    unknown = any(quality == "unknown" for quality in report.quality.values())
    return (
        "nothing recorded puts it into this period; what was opened, closed or left open is not "
        "known, as only git history is recorded"
        if unknown
        else "nothing happened to it in this period"
    )


def _kept(found: Classified, reason: str) -> str:
    if found.verdict.decided is not None:
        return f"{reason}, {_decision(found.verdict.decided)}"
    doubt = found.verdict.doubt
    if doubt is not None:
        return f"{reason}, because {_DOUBTS[doubt]}"
    deciding = found.verdict.deciding
    return reason if deciding is None else f"{reason}: no rule takes {deciding.path}"


def _excluded(found: Classified) -> str:
    verdict = found.verdict
    if verdict.decided is not None:
        return f"{verdict.kind}, {_decision(verdict.decided)}"
    return f"{verdict.kind}: {_rules(found)}"


def _rules(found: Classified) -> str:
    if found.verdict.kind == "format-only":
        return "every difference was proven to change the format alone"
    words = "by the rules" if len(found.verdict.rules) > 1 else "by the rule"
    return f"all of its paths are taken {words} {', '.join(found.verdict.rules)}"


def _decision(decided: DecidedClass) -> str:
    """Write who decided the class of a request, and why: `as ada decided: it is about CI`."""
    reason = f": {decided.reason}" if decided.reason else ""
    return f"as {decided.author or 'a person'} decided{reason}"


def as_document(answer: Why) -> dict[str, Any]:
    """Return plain values for JSON."""
    report = answer.report
    shown = report.requests.get(answer.number)
    return {
        "repository": {"name": report.full_name, "key": report.repo},
        "period": {
            "from": rfc3339(report.period.start),
            "to": rfc3339(report.period.end),
            "tz": report.period.zone,
            "end": rfc3339(report.end),
        },
        "known_at": rfc3339(report.known_at),
        "number": answer.number,
        "title": shown.title if shown else None,
        "told": answer.told,
        "reason": answer.reason,
        "counts": {name: rfc3339(entry.at) for name, entry in answer.entries.items()},
        "records": sorted({entry.record_id for entry in answer.entries.values()}),
        "classified": None if answer.classified is None else classified(answer.classified),
        "rules": report.exclusions.digest,
    }


def as_text(answer: Why) -> str:
    """Return the answer for people."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Why) -> Iterator[str]:
    report, number = answer.report, answer.number
    told = {True: "told", False: "not told", None: "not in question"}[answer.told]
    yield f"#{number} {title(report.requests.get(number))}"
    yield f"{report.period.name} ({report.period.zone}): {told}."
    yield f"  why      {answer.reason}"
    for name, entry in answer.entries.items():
        when = local(entry.at, report.period.zone)
        base = f" [{entry.base}]" if entry.base else ""
        yield f"  counted  {name}: {DEFINITIONS[name]}; {when}{base}, record {entry.record_id}"
    if not answer.entries:
        yield "  counted  in none of the period's counts"
    if answer.classified is not None:
        yield from evidence_lines(answer.classified)
        yield f"  rules    {report.exclusions.digest}"


def evidence_lines(found: Classified) -> Iterator[str]:
    """Yield what decided the class of a request: files, paths and rules, judgements."""
    basis = "raw only" if found.verdict.excluded else "raw and filtered"
    yield f"  basis    {basis}: {found.verdict.kind}"
    if found.verdict.decided is not None:
        yield f"  decided  {found.verdict.kind}: record {found.verdict.decided.record_id}"
    files = found.files
    commits = f": {', '.join(sha[:12] for sha in files.commits)}" if files.commits else ""
    yield f"  files    {files.state}, from {_ORIGINS[files.origin]}{commits}"
    for record_id in files.records:
        yield f"           record {record_id}"
    for path in found.verdict.paths[:_PATHS]:
        rule = f"{path.role} by {path.rule} ({path.glob})" if path.rule else "no rule"
        yield f"  path     {path.path}: {rule}"
    more = len(found.verdict.paths) - _PATHS
    if more > 0:
        yield f"  path     … and {counted(more, 'path')} more; --json lists each"
    for each in found.judgements:
        verdict = "format only" if each.judgement.format_only else each.judgement.because
        sha = each.judgement.sha[:12]
        yield f"  format   {sha}: {verdict} (rules {each.rules}, record {each.record_id})"
