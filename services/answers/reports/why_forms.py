"""Why a request is told in a period's report: for programs, and the lines for people."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.excluding import Classified
from services.answers.reports.classified_answer import ClassifiedAnswer, classified_answer
from services.answers.reports.life_forms import NamedRepository
from services.answers.reports.why import Why
from services.answers.reports.wording import counted, local, rfc3339, title
from services.documents.model import Block, Document, Item, List, Paragraph, Strong, Text

#: What `told` is called.
TOLD: Final[Mapping[bool | None, str]] = {
    True: "told",
    False: "not told",
    None: "not in question",
}
_ORIGINS: Final[Mapping[str, str]] = {
    "landing": "its landing",
    "head": "the commits of its head",
    "api": "a list of the API",
    "nothing": "nothing that is recorded",
}
#: So many paths have a line of their own.
_PATHS: Final = 20


class CutPeriod(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from"}):
    """[from, to) in the zone `tz`, counted until `end`."""

    start: str | None
    to: str | None
    tz: str
    end: str | None


class WhyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict with its reason, the counts that the request is in, its class, the records."""

    repository: NamedRepository
    period: CutPeriod
    known_at: str | None
    number: int
    title: str | None
    told: bool | None
    reason: str
    counts: dict[str, str | None]
    records: tuple[str, ...]
    classified: ClassifiedAnswer | None
    rules: str


def why_answer(why: Why) -> WhyAnswer:
    """Return the verdict for programs."""
    report = why.report
    attributes = report.requests.get(why.number)
    return WhyAnswer(
        repository=NamedRepository(name=report.full_name, key=report.repo),
        period=CutPeriod(
            start=rfc3339(report.period.start),
            to=rfc3339(report.period.end),
            tz=report.period.zone,
            end=rfc3339(report.end),
        ),
        known_at=rfc3339(report.known_at),
        number=why.number,
        title=attributes.title if attributes else None,
        told=why.told,
        reason=why.reason,
        counts={name: rfc3339(entry.at) for name, entry in why.entries.items()},
        records=tuple(sorted({entry.record_id for entry in why.entries.values()})),
        classified=None if why.classified is None else classified_answer(why.classified),
        rules=report.exclusions.digest,
    )


def why_document(why: Why, *more: Block) -> Document:
    """Return the verdict for people; `more` stands below it."""
    report = why.report
    lines: list[Text | Item] = [labelled("why", why.reason)]
    for name, entry in why.entries.items():
        when = local(entry.at, report.period.zone)
        base = f" [{entry.base}]" if entry.base else ""
        words = f"{name}: {DEFINITIONS[name]}; {when}{base}, record {entry.record_id}"
        lines.append(labelled("counted", words))
    if not why.entries:
        lines.append(labelled("counted", "in none of the period's counts"))
    if why.classified is not None:
        lines += evidence(why.classified)
        lines.append(labelled("rules", report.exclusions.digest))
    return Document(
        title=f"#{why.number} {title(report.requests.get(why.number))}",
        blocks=(
            Paragraph(f"{report.period.name} ({report.period.zone}): {TOLD[why.told]}."),
            List(tuple(lines)),
            *more,
        ),
    )


def labelled(label: str, words: str) -> Text:
    """Write what is said under a label."""
    return Strong(label), f": {words}"


def evidence(request: Classified) -> Iterator[Text | Item]:
    """Yield what decided the class of a request: files, paths and rules, judgements."""
    verdict, files = request.verdict, request.files
    basis = "raw only" if verdict.excluded else "raw and filtered"
    yield labelled("basis", f"{basis}: {verdict.kind}")
    if verdict.decided is not None:
        yield labelled("decided", f"{verdict.kind}: record {verdict.decided.record_id}")
    commits = f": {', '.join(sha[:12] for sha in files.commits)}" if files.commits else ""
    yield Item(
        labelled("files", f"{files.state}, from {_ORIGINS[files.origin]}{commits}"),
        tuple(f"record {record_id}" for record_id in files.records),
    )
    for path in verdict.paths[:_PATHS]:
        rule = f"{path.role} by {path.rule} ({path.glob})" if path.rule else "no rule"
        yield labelled("path", f"{path.path}: {rule}")
    more = len(verdict.paths) - _PATHS
    if more > 0:
        yield labelled("path", f"… and {counted(more, 'path')} more; --json lists each")
    for judged in request.judgements:
        judgement = judged.judgement
        outcome = "format only" if judgement.format_only else judgement.because
        words = f"{judgement.sha[:12]}: {outcome} (rules {judged.rules}, record {judged.record_id})"
        yield labelled("format", words)
