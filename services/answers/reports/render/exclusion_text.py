"""Exclusions, the filtered basis and the reconciliation, as Markdown."""

from collections.abc import Iterator, Mapping
from typing import Final

from events.instant import Instant
from projections.period_ledger.counting import DEFINITIONS
from projections.period_ledger.excluding import Bound, Exclusions
from projections.period_ledger.exclusions import Class
from projections.period_ledger.quality import Quality, named
from projections.period_ledger.queries import Ledger
from projections.period_ledger.reconciliation import Kept
from services.answers.reports.searches import searches
from services.answers.reports.wording import figure

#: The classes as the published reports write them.
_NAMES: Final[Mapping[Class, str]] = {
    "test-only": "test-only",
    "ci-only": "CI-only",
    "test-and-ci-only": "test/CI-only",
    "format-only": "format-only",
}
_BOUNDS: Final[Mapping[Bound, str]] = {
    "exact": "",
    "at_least": "at least ",
    "at_most": "at most ",
    "about": "about ",
    "unknown": "",
}
_DOUBTS: Final[Mapping[str, str]] = {
    "missing": "no complete list of files is recorded",
    "empty": "the list of files is empty",
    "capped": "the list of files ends where the source lists no more",
}
_POPULATIONS: Final = (
    "Raw: every pull request of the repository, into any branch. Filtered: the same without those "
    "that change only CI, only tests, only these two, or only the format; a request whose list of "
    "files is missing, empty or capped is never left out."
)


def excluded_line(found: Exclusions) -> str:
    """Write what the narrative leaves out as the published reports do."""
    quality: Quality = found.quality
    counts = (f"{words} {figure(found.total(kind), quality)}" for kind, words in _NAMES.items())
    return f"Excluded from the narrative: {', '.join(counts)}."


def basis_table(ledger: Ledger, found: Exclusions) -> Iterator[str]:
    """Write raw and filtered counts side by side; nothing where both are unknown."""
    names = [name for name in DEFINITIONS if ledger.counts[name] is not None]
    if not names:
        return
    yield from ("", "## Raw and filtered", "", "| count | raw | filtered |", "|---|---:|---:|")
    for name in names:
        raw = figure(ledger.counts[name], ledger.quality[name])
        yield f"| {name.replace('_', ' ')} | {raw} | {bounded(found, name)} |"
    decided = [each.number for each in found.decided]
    persons = f", and by persons' decisions about {named(decided)}" if decided else ""
    yield from ("", f"Filtered by rule set {found.digest[:12]}{persons}.")
    yield from _doubts(found)


def bounded(found: Exclusions, name: str) -> str:
    """Write a filtered count: `207`, `at most 207`, `unknown`."""
    value = found.filtered[name]
    return "unknown" if value is None else f"{_BOUNDS[found.bounds[name]]}{value:,}"


def _doubts(found: Exclusions) -> Iterator[str]:
    for state, words in _DOUBTS.items():
        numbers = [each.number for each in found.doubtful if each.verdict.doubt == state]
        if numbers:
            yield f"Kept because {words}: {named(numbers)}."


def reconciliation_lines(found: Kept) -> Iterator[str]:
    """Write where the merged requests went, each part with its numbers."""
    yield f"- {found.line[:1].upper()}{found.line[1:]}."
    excluded = {_NAMES[kind]: numbers for kind, numbers in found.excluded.items()}
    for words, numbers in {"kept": found.kept, **excluded}.items():
        if numbers:
            yield f"  - {words}: {', '.join(f'#{number}' for number in numbers)}"


def definitions(ledger: Ledger, found: Exclusions, full_name: str, end: Instant) -> str:
    """Write every count with its definition, its population and the search that is comparable.

    `end` is where the period was cut. The text is Markdown.
    """
    return "\n".join(_definitions(ledger, found, full_name, end)) + "\n"


def _definitions(ledger: Ledger, found: Exclusions, full_name: str, end: Instant) -> Iterator[str]:
    yield from ("## Definitions", "", _POPULATIONS, "")
    for name, meaning in DEFINITIONS.items():
        raw = figure(ledger.counts[name], ledger.quality[name])
        yield f"- **{name.replace('_', ' ')}** ({raw}; filtered {bounded(found, name)}): {meaning}."
        queries = searches(name, full_name, ledger.a, end)
        for query in queries:
            yield f"  - `{query}`"
        if not queries:
            yield "  - GitHub's search has no comparable number"
    yield ""
    yield (
        "Searches show the present of GitHub, to the second; where there are two, their results "
        "are added."
    )
