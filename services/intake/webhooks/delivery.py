"""A delivery: what its headers say, and the record that is made of it once it is verified.

No header is signed, so each is used only after a strict look.

https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from events.identity import DEFAULT_HOST, RepositoryKey, host_key, repository_key
from events.instant import Instant, format_instant
from events.record import FORM, JSON, Record
from events.sources.github_webhook import Routing, valid_host
from services.intake.webhooks.answers import Refusal

EVENT: Final = "x-github-event"
DELIVERY: Final = "x-github-delivery"
SIGNATURE: Final = "x-hub-signature-256"
HOST: Final = "x-github-enterprise-host"

_EVENT: Final = re.compile(r"^[a-z][a-z0-9_]{0,63}\Z")
_DELIVERY: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}\Z")
_CONTENT_TYPE: Final = re.compile(r"^[\x20-\x7e]{1,255}\Z")

#: Header -> CloudEvents attribute, and what a value must look like to be kept.
_ATTRIBUTES: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = (
    ("x-github-hook-id", "hookid", re.compile(r"^\d{1,20}\Z")),
    ("x-github-hook-installation-target-type", "targettype", re.compile(r"^[a-z_]{1,64}\Z")),
    ("x-github-hook-installation-target-id", "targetid", re.compile(r"^\d{1,20}\Z")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headers:
    """What the headers say."""

    event: str
    delivery: str
    content_type: str
    is_form: bool
    signature: str | None
    host: str | None
    attributes: Mapping[str, str]


def read_headers(headers: Mapping[str, str]) -> Headers:
    """Read the headers of a delivery; refuse with 400 what is missing and 415 what is no JSON."""
    event = _required(headers, EVENT, "X-GitHub-Event", _EVENT)
    delivery = _required(headers, DELIVERY, "X-GitHub-Delivery", _DELIVERY)
    content_type = headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in (JSON, FORM) or not _CONTENT_TYPE.match(content_type):
        raise Refusal(
            415,
            "unsupported_content_type",
            f"Set the webhook's content type to {JSON} (or {FORM}).",
        )
    return Headers(
        event=event,
        delivery=delivery,
        content_type=content_type,
        is_form=kind == FORM,
        signature=headers.get(SIGNATURE),
        host=valid_host(headers.get(HOST)),
        attributes={
            name: headers[header]
            for header, name, pattern in _ATTRIBUTES
            if pattern.match(headers.get(header, ""))
        },
    )


def _required(
    headers: Mapping[str, str], header: str, spelled: str, pattern: re.Pattern[str]
) -> str:
    value = headers.get(header)
    if value is None:
        raise Refusal(400, "missing_header", f"Send the header {spelled}, as GitHub does.")
    if not pattern.match(value):
        raise Refusal(400, "bad_header", f"The header {spelled} is not as GitHub sends it.")
    return value


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
