"""What the themes of an edition are made from besides its requests: names and words of before."""

from typing import Final

from events.facts.editions import AssignedTheme, EditionPublished, Section
from events.instant import DAY, Instant
from projections.period_ledger.files.queries import files_at
from projections.period_ledger.themes import ThemeRequest
from projections.pull_requests.attributes import attributes_of
from projections.release_inclusion.authors import with_commit_authors
from projections.store.snapshot import Snapshot
from services.answers.reports.assemble import Report
from services.answers.themes.making import Prior
from services.answers.themes.requests import merged_before, theme_requests

#: Clustering learns from the words of so long before a period.
_HISTORY: Final = 365 * DAY


def learnt_from(snapshot: Snapshot, report: Report) -> list[ThemeRequest]:
    """Return what was merged in the year before: words change, and reading more takes long."""
    start = report.period.start
    return merged_before(
        snapshot, report.repo, start, report.known_at, since=max(start - _HISTORY, 0)
    )


def prior(
    snapshot: Snapshot,
    report: Report,
    section: Section,
    before: EditionPublished | None,
    as_of: Instant,
) -> Prior:
    """Return the themes of the edition before, with what is known of their requests at T."""
    if before is None:
        return Prior()
    themes = tuple(
        AssignedTheme(name=theme.name, numbers=theme.numbers, how="prior")
        for theme in before.themes
        if theme.section == section
    )
    numbers = {number for theme in themes for number in theme.numbers}
    attributes = attributes_of(snapshot, report.repo, numbers, as_of, report.known_at)
    attributes = with_commit_authors(snapshot, report.repo, attributes, report.known_at)
    files = files_at(snapshot, report.repo, attributes, attributes, as_of, report.known_at)
    requests = theme_requests(numbers, attributes, files)
    return Prior(themes=themes, requests={request.number: request for request in requests})
