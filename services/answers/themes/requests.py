"""What themes are made from, read at one (T, K)."""

from collections.abc import Iterable, Mapping

from events.identity import RepositoryKey
from events.instant import Instant
from projections.period_ledger.files.landed import Files
from projections.period_ledger.files.queries import files_seen
from projections.period_ledger.themes import ThemeRequest
from projections.pull_requests.queries import Attributes, attributes, sightings_of, spans_in
from projections.store.snapshot import Snapshot


def theme_requests(
    numbers: Iterable[int], attributes: Mapping[int, Attributes], files: Mapping[int, Files]
) -> list[ThemeRequest]:
    """Return requests as themes take them; one whose title nobody showed is left out."""
    found = []
    for number in sorted(set(numbers)):
        shown, its = attributes.get(number), files.get(number)
        if shown is not None and shown.title:
            found.append(
                ThemeRequest(
                    number=number,
                    title=shown.title,
                    paths=() if its is None else its.paths,
                    labels=shown.labels,
                    author=shown.author,
                )
            )
    return found


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
    numbers = {number for number, span in spans if span.enter == "merged"}
    seen = sightings_of(snapshot, repo, numbers, known_at)
    files = files_seen(snapshot, repo, seen, seen, bound - 1, known_at)
    shown = {number: attributes(number, sights, bound - 1) for number, sights in seen.items()}
    return theme_requests(numbers, shown, files)
