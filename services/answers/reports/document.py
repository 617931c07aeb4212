"""The report as a document, in the shape in which it is published."""

from collections.abc import Iterator, Mapping
from typing import Final

from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.excluding import Exclusions
from projections.period_ledger.exclusions import Class
from projections.period_ledger.quality import named
from projections.repositories.branch_roles import GROUPS
from services.answers.reports.assemble import Report
from services.answers.reports.candidates import candidate_sections
from services.answers.reports.coverage_summary import coverage_summary, proven
from services.answers.reports.definitions import definitions, plain
from services.answers.reports.of_which import sentence
from services.answers.reports.places import Released
from services.answers.reports.rows import row_sections
from services.answers.reports.wording import (
    bounded,
    figure,
    local,
    rfc3339,
    told_counts,
)
from services.documents.model import (
    Block,
    Code,
    Column,
    Document,
    Footer,
    Item,
    List,
    Paragraph,
    Section,
    Table,
    Text,
    command,
)

_SECTIONS: Final = (
    ("merged", "Merged"),
    ("landed", "Closed, landed by commit"),
    ("closed_without_merge", "Closed without merge"),
    ("closed_unknown", "Closed, outcome unknown"),
    ("reopened", "Reopened"),
    ("opened_and_still_open", "Opened and still open"),
)
_FURTHER: Final = (
    ("open_at_start", "open at start"),
    ("reopened", "reopened"),
    ("closed_unknown", "closed with unknown outcome"),
    ("open_at_end", "open at end"),
    ("active_and_open", "active and open at end"),
)
_COLUMNS: Final = (
    *("opened", "merged", "landed", "closed_without_merge", "reopened"),
    *("open_at_start", "open_at_end", "retargeted_in", "retargeted_out"),
)
#: The classes as the published reports write them.
CLASS_NAMES: Final[Mapping[Class, str]] = {
    "test-only": "test-only",
    "ci-only": "CI-only",
    "test-and-ci-only": "test/CI-only",
    "format-only": "format-only",
}
_DOUBTS: Final[Mapping[str, str]] = {
    "missing": "no complete list of files is recorded",
    "empty": "the list of files is empty",
    "capped": "the list of files ends where the source lists no more",
}


def report_document(report: Report, *, receipt: str = "", defined: bool = False) -> Document:
    """Return the document of a report; `receipt` is the line at its foot.

    `defined`: with what each count means, of whom, and the search on GitHub that is comparable.
    """
    blocks: list[Block] = [
        Paragraph(period_line(report)),
        List(tuple(_head(report))),
        Section("Coverage", tuple(_coverage(report))),
        *_bases(report),
        *_by_base(report),
        *_released(report),
        *(
            section
            for name, words in _SECTIONS
            for section in row_sections(report, words, report.entries[name])
        ),
        *row_sections(report, "Opened, merged or closed without any date", report.ledger.undated),
        *candidate_sections(report),
        Footer(_moment(report)),
    ]
    if receipt:
        blocks.append(Paragraph(receipt))
    if defined:
        blocks.append(Section("Definitions", tuple(definitions(report))))
    return Document(title=heading(report), blocks=tuple(blocks))


def heading(report: Report) -> str:
    """Write the title: project, kind of report, period."""
    project = report.full_name.rpartition("/")[2]
    words = f"{project} {report.period.kind} Activity Report — {report.period.name}"
    through = "" if report.through is None else f" (through {report.through.isoformat()})"
    return " ".join(words.split()) + through


def period_line(report: Report) -> str:
    """Write the period with its zone and source."""
    last_day = report.through or report.period.last_day
    first, last = report.period.first_day.isoformat(), last_day.isoformat()
    return f"Period: {first} through {last} ({report.period.zone}); source: {report.full_name}."


def count_line(report: Report) -> str:
    """Write the counts as the published reports do."""
    written = {name: figure(report.counts[name], report.quality[name]) for name in DEFINITIONS}
    return (
        f"PRs opened: {written['opened']}; merged during the period: {written['merged']}; "
        f"closed without merge: {written['closed_without_merge']}; "
        f"still open at period end: {written['opened_and_still_open']}."
    )


def _head(report: Report) -> Iterator[Text | Item]:
    exclusions = report.exclusions
    yield count_line(report)
    if report.counts["landed"]:
        landed = figure(report.counts["landed"], report.quality["landed"])
        yield f"Closed, landed by commit: {landed}."
    excluded = (
        f"{words} {figure(exclusions.total(kind), exclusions.quality)}"
        for kind, words in CLASS_NAMES.items()
    )
    yield f"Excluded from the narrative: {', '.join(excluded)}."
    further = (
        f"{words}: {figure(report.counts[name], report.quality[name])}" for name, words in _FURTHER
    )
    yield f"{'; '.join(further)}."
    yield _balance(report)
    for name in ("opened", "merged"):
        parts = sentence(report, name)
        if parts:
            yield f"Of those {name}: {parts}."
    yield Item(f"{_capital(report.reconciliation.line)}.", tuple(_parts(report)))


def _balance(report: Report) -> str:
    difference = report.ledger.balance
    if difference is None:
        return "Balance: unknown."
    if difference == 0:
        out = "merged + landed + closed" if report.counts["landed"] else "merged + closed"
        return f"Balance: open at start + opened + reopened = {out} + open at end, exactly."
    return f"Balance: off by {difference}; please report this as a fault."


def _parts(report: Report) -> Iterator[str]:
    """Yield where the merged requests went, each part with its numbers."""
    reconciliation = report.reconciliation
    excluded = {CLASS_NAMES[kind]: numbers for kind, numbers in reconciliation.excluded.items()}
    for words, numbers in {"kept": reconciliation.kept, **excluded}.items():
        if numbers:
            yield f"{words}: {', '.join(f'#{number}' for number in numbers)}"


def _coverage(report: Report) -> Iterator[Block]:
    if proven(report):
        yield Paragraph("Complete: nothing is known to be missing for this period.")
    else:
        yield Paragraph(coverage_summary(report))
    doubts = [f"{_capital(doubt.says)}." for doubt in report.coverage]
    doubts += [f"{_capital(doubt)}." for doubt in (report.places.doubts if report.places else ())]
    if report.is_cut:
        doubts.append(f"The period was cut at {local(report.end, report.period.zone)}.")
    if doubts:
        yield List(tuple(doubts))


def _bases(report: Report) -> Iterator[Section]:
    """Yield raw and filtered counts side by side; nothing where all are unknown."""
    ledger, exclusions = report.ledger, report.exclusions
    names = [name for name in told_counts(ledger.counts) if ledger.counts[name] is not None]
    if not names:
        return
    rows = tuple(
        (
            plain(name),
            figure(ledger.counts[name], ledger.quality[name]),
            bounded(exclusions, name),
        )
        for name in names
    )
    columns = (Column("count"), Column("raw", number=True), Column("filtered", number=True))
    paragraphs = tuple(Paragraph(line) for line in _filtered_by(exclusions))
    yield Section("Raw and filtered", (Table(columns, rows), *paragraphs))


def _filtered_by(exclusions: Exclusions) -> Iterator[str]:
    decided = [request.number for request in exclusions.decided]
    persons = f", and by persons' decisions about {named(decided)}" if decided else ""
    yield f"Filtered by rule set {exclusions.digest[:12]}{persons}."
    for state, words in _DOUBTS.items():
        numbers = [
            request.number for request in exclusions.doubtful if request.verdict.doubt == state
        ]
        if numbers:
            yield f"Kept because {words}: {named(numbers)}."


def _by_base(report: Report) -> Iterator[Section]:
    table, told = report.ledger.by_base, told_counts(report.counts)
    # a column in which nothing is known says nothing
    names = [
        name
        for name in _COLUMNS
        if (name in told or name not in DEFINITIONS)
        and any(counts[name] is not None for counts in table.values())
    ]
    if not names:
        return
    columns = (Column("base"), *(Column(plain(name), number=True) for name in names))
    rows = tuple(
        (group, *(_count(table[group][name]) for name in names))
        for group in GROUPS
        if group in table
    )
    yield Section("By base branch", (Table(columns, rows),))


def _released(report: Report) -> Iterator[Section]:
    if report.places is not None and report.places.released:
        releases = report.places.released
        lines = tuple(_release(report, release) for release in releases)
        yield Section(f"Released in this period ({len(releases)})", (List(lines),))


def _release(report: Report, release: Released) -> Text:
    also = "".join(f", {alias}" for alias in release.aliases)
    doubt = " (assumed)" if release.evidence == "assumed" else ""
    brings = "contents not recorded"
    if release.removed is not None:
        against = f" against {release.against}" if release.against else ""
        plain = (
            f", {release.unattributed:,} commits without a number" if release.unattributed else ""
        )
        new = "new ones unknown" if release.new is None else f"{release.new:,} new"
        brings = f"{new}, {release.removed:,} removed{plain}{against}"
    when = local(release.at, report.period.zone)
    return f"{release.tag}{also} — {when}{doubt}: {brings}; ", command(
        "shipledger", "release", report.full_name, release.tag
    )


def _moment(report: Report) -> Text:
    # what is known of a part of the period alone is not called settled, though it cannot change
    settled = " (settled)" if report.settled and report.through is None else ""
    ahead = (
        "Records are stamped later than the moment at which the log was last read to its end "
        f"({rfc3339(report.caught_up_at)}): a clock was ahead when they were recorded, and an "
        "earlier known-at leaves them out; or reading is under way. "
        if report.stamped_ahead
        else ""
    )
    return (
        f"As of {rfc3339(report.as_of)}, known at {rfc3339(report.known_at)}{settled}. {ahead}"
        "Every figure can be traced: ",
        Code("--format json"),
        " names the record behind each row.",
    )


def _count(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
