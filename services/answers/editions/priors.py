"""What the themes of an edition are made from besides its requests: names and words of before."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from events.facts.editions import AssignedTheme, EditionPublished, Section, ToldTheme
from events.instant import DAY, Instant
from projections.curation.queries import edition_before
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


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """What the themes of one edition are made from besides its requests, each read when needed.

    `as_of` is the T at which the requests of before are looked at. `of_releases`: the names of the
    edition of the release before come first.
    """

    snapshot: Snapshot
    report: Report
    as_of: Instant
    of_releases: bool = False

    @cached_property
    def history(self) -> list[ThemeRequest]:
        """What was merged in the year before: words change, and reading more takes long."""
        report, start = self.report, self.report.period.start
        since = max(start - _HISTORY, 0)
        return merged_before(self.snapshot, report.repo, start, report.known_at, since=since)

    @cached_property
    def _before(self) -> EditionPublished | None:
        report, known_at = self.report, self.report.known_at
        start = report.period.start
        before = None
        if self.of_releases:
            before = edition_before(self.snapshot, report.repo, start, known_at, of_releases=True)
        before = before or edition_before(self.snapshot, report.repo, start, known_at)
        return None if before is None else before.fact

    def names(self, section: Section) -> list[str]:
        """Return the themes of the edition before."""
        return [theme.name for theme in self._told(section)]

    def prior(self, section: Section) -> Prior:
        """Return the themes of the edition before, with what is known of their requests at T."""
        themes = tuple(
            AssignedTheme(name=theme.name, numbers=theme.numbers, how="prior")
            for theme in self._told(section)
        )
        numbers = {number for theme in themes for number in theme.numbers}
        return Prior(themes=themes, requests=self.requests(numbers))

    def requests(self, numbers: Iterable[int]) -> dict[int, ThemeRequest]:
        """Return what is known of some requests at T, by number."""
        wanted, report = set(numbers), self.report
        if not wanted:
            return {}
        place = (self.snapshot, report.repo)
        attributes = attributes_of(*place, wanted, self.as_of, report.known_at)
        attributes = with_commit_authors(*place, attributes, report.known_at)
        files = files_at(*place, attributes, attributes, self.as_of, report.known_at)
        requests = theme_requests(wanted, attributes, files)
        return {request.number: request for request in requests}

    def _told(self, section: Section) -> list[ToldTheme]:
        told = [] if self._before is None else self._before.themes
        return [theme for theme in told if theme.section == section]
