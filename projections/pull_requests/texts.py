"""The texts of pull requests: each kept once, by its digest, and asked as they stood at (T, K).

A statement made from a text (a quoted figure, a reference to another request) is pinned to the
digest: when the text is edited, the pin no longer fits, and that shows.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from events.facts.pull_request import PullRequestObserved
from events.identity import RepositoryKey, body_digest
from events.instant import Instant
from projections.pull_requests.observation import (
    Observation,
    Sighting,
    in_order,
    most_trusted,
    without_copies,
)
from projections.pull_requests.queries import sightings_of
from projections.pull_requests.tables import PullRequestTables
from projections.store.base import Translated
from projections.store.observations import read_texts
from projections.store.snapshot import Snapshot

BEFORE_EDIT: Final = "before an edit"


def text_digest(text: str | None) -> str | None:
    """Return the name of a text: its SHA-256 as 64 hex digits, empty for an empty one."""
    return body_digest(text.encode()) if text else text


def texts_in(entry: Translated) -> dict[tuple[RepositoryKey, str], str]:
    """Return the texts that an entry shows, by repository and digest."""
    return {
        (entry.repo, digest): text
        for fact in entry.facts
        if isinstance(fact, PullRequestObserved)
        for text in (fact.body, fact.body_from)
        if text and (digest := text_digest(text))
    }


class RequestText(msgspec.Struct, frozen=True, kw_only=True):
    """The text of one request at one (T, K), its digest, and the record that shows it.

    An empty text has an empty digest. `reconstructed`: the record shows it as what an edit
    replaced.
    """

    number: int
    text: str
    digest: str
    record_id: str
    reconstructed: bool = False


def texts_of(
    snapshot: Snapshot,
    repo: RepositoryKey,
    numbers: Iterable[int],
    as_of: Instant,
    known_at: Instant,
) -> dict[int, RequestText]:
    """Return the texts of some requests at (T, K); a request whose text nobody showed is absent."""
    return texts_seen(snapshot, repo, sightings_of(snapshot, repo, numbers, known_at), as_of)


def texts_seen(
    snapshot: Snapshot,
    repo: RepositoryKey,
    sightings: Mapping[int, Iterable[Sighting]],
    as_of: Instant,
) -> dict[int, RequestText]:
    """Return the texts at T of requests whose sights are at hand."""
    pins = {
        number: pin
        for number, sights in sightings.items()
        if (pin := text_seen(sights, as_of)) is not None
    }
    digests = (pin.fact.body for pin in pins.values() if pin.fact.body)
    table = snapshot.tables(PullRequestTables).texts
    stored = read_texts(snapshot.connection, table, repo, digests)
    return {
        number: RequestText(
            number=number,
            text=stored[pin.fact.body] if pin.fact.body else "",
            digest=pin.fact.body or "",
            record_id=pin.record_id,
            reconstructed=pin.fact.kind == BEFORE_EDIT,
        )
        for number, pin in pins.items()
    }


def text_seen(sightings: Iterable[Sighting], as_of: Instant) -> Observation | None:
    """Return the sight that decides the text at T: the most trusted, then the newest up to T.

    Where nothing was seen up to T, the oldest sight afterwards has to do, as for titles; of an edit
    it is the text that it replaced.
    """
    showing = [
        sighting
        for sighting in without_copies(sightings)
        if isinstance(sighting, Observation) and sighting.fact.body is not None
    ]
    past = in_order(observation for observation in showing if observation.fact.at <= as_of)
    if past:
        return most_trusted(past, "body")[-1]
    first = next(iter(in_order(showing)), None)
    return first and _before_edit(first)


def _before_edit(sighting: Observation) -> Observation:
    """Return a sight with the text before it, where it is an edit that tells it."""
    if sighting.fact.kind != "edited" or sighting.fact.body_from is None:
        return sighting
    fact = msgspec.structs.replace(sighting.fact, kind=BEFORE_EDIT, body=sighting.fact.body_from)
    return msgspec.structs.replace(sighting, fact=fact)
