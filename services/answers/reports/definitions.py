"""Every count of a report with its definition, its population and the comparable search."""

from collections.abc import Iterator
from typing import Final

from projections.period_ledger.counting import DEFINITIONS
from services.answers.reports.assemble import Report
from services.answers.reports.searches import searches
from services.answers.reports.wording import bounded, figure
from services.documents.model import (
    Block,
    Code,
    Inline,
    Item,
    List,
    Paragraph,
    Strong,
    Text,
)

_POPULATIONS: Final = (
    "Raw: every pull request of the repository, into any branch. Filtered: the same without those "
    "that change only CI, only tests, only these two, or only the format; a request whose list of "
    "files is missing, empty or capped is never left out."
)


_SEARCHED: Final = (
    "Searches show the present of GitHub, to the second; where there are two, their results are "
    "added."
)


def definitions(report: Report) -> Iterator[Block]:
    yield Paragraph(_POPULATIONS)
    yield List(tuple(_definition(report, name) for name in DEFINITIONS))
    yield Paragraph(_SEARCHED)


def _definition(report: Report, name: str) -> Item:
    ledger = report.ledger
    raw = figure(ledger.counts[name], ledger.quality[name])
    filtered = bounded(report.exclusions, name)
    text: tuple[Inline, ...] = (
        Strong(plain(name)),
        f" ({raw}; filtered {filtered}): {DEFINITIONS[name]}.",
    )
    queries = searches(name, report.full_name, ledger.a, report.end)
    below: tuple[Text, ...] = tuple((Code(query),) for query in queries)
    return Item(text, below or ("GitHub's search has no comparable number",))


def plain(name: str) -> str:
    return name.replace("_", " ")
