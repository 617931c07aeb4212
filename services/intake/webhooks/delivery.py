"""A verified delivery as a record of the log."""

from events.identity import DEFAULT_HOST, RepositoryKey, host_key, repository_key
from events.instant import Instant, format_instant
from events.record import Record
from events.sources.github_webhook import Routing
from services.intake.webhooks.headers import Headers


def delivery_host(routing: Routing, headers: Headers) -> str:
    """Return the host: what the signed body says comes before what a header claims."""
    return routing.host or headers.host or DEFAULT_HOST


def delivery_key(routing: Routing, headers: Headers) -> RepositoryKey:
    """Return the repository's key, or the host's for a delivery without a repository."""
    host = delivery_host(routing, headers)
    if routing.repository_id is None:
        return host_key(host)
    return repository_key(host, routing.repository_id)


def delivery_record(headers: Headers, routing: Routing, body: bytes, now: Instant) -> Record:
    """Return the record; its id is the delivery's alone, so a redelivery has the same."""
    suffix = "" if routing.action is None else f".{routing.action}"
    return Record(
        id=headers.delivery,
        repository=delivery_key(routing, headers),
        source="webhook",
        type=f"com.github.{headers.event}{suffix}",
        body=body,
        time=routing.time,
        content_type=headers.content_type,
        attributes={
            **headers.attributes,
            "event": headers.event,
            "receivedat": format_instant(now),
        },
    )
