"""What themes are made from, read at one (T, K)."""

from collections.abc import Iterable, Mapping

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.files.landed import Files
from projections.period_ledger.files.queries import files_seen
from projections.period_ledger.themes import ThemeRequest
from projections.pull_requests.attributes import Attributes, attributes
from projections.pull_requests.queries import sightings_of, spans_in
from projections.release_inclusion.authors import with_commit_authors
from projections.store.snapshot import Snapshot


def theme_requests(
    numbers: Iterable[int], attributes: Mapping[int, Attributes], files: Mapping[int, Files]
) -> list[ThemeRequest]:
    """Return requests as themes take them; one whose title nobody showed is left out."""
    requests = []
    for number in sorted(set(numbers)):
        request_attributes, request_files = attributes.get(number), files.get(number)
        if request_attributes is not None and request_attributes.title:
            requests.append(
                ThemeRequest(
                    number=number,
                    title=request_attributes.title,
                    paths=() if request_files is None else request_files.paths,
                    labels=request_attributes.labels,
                    author=request_attributes.author or request_attributes.commit_author,
                )
            )
    return requests


def merged_before(
    snapshot: Snapshot,
    repo: RepositoryKey,
    bound: Instant,
    known_at: Instant,
    *,
    since: Instant = 0,
) -> list[ThemeRequest]:
    """Return all requests merged in [since, bound): the words from which clustering learns."""
    spans = spans_in(snapshot, repo, since, bound, known_at)
    numbers = {number for number, span in spans if span.delivered}
    sightings = sightings_of(snapshot, repo, numbers, known_at)
    files = files_seen(snapshot, repo, sightings, sightings, bound - 1, known_at)
    known_attributes = {
        number: attributes(number, sights, bound - 1) for number, sights in sightings.items()
    }
    known_attributes = with_commit_authors(snapshot, repo, known_attributes, known_at)
    return theme_requests(numbers, known_attributes, files)
