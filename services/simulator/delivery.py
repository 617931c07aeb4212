"""A webhook delivery as GitHub would send it: headers and raw bytes."""

import hashlib
import hmac
from typing import Final
from urllib.parse import quote_plus

import msgspec

from events.instant import Instant
from events.record import FORM, JSON

HOOK_ID: Final = 400_000_001


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One delivery. `at` is when it happened in the world; nothing in it is signed yet.

    `numbers` are the pull requests and issues whose state it shows.
    """

    index: int
    event: str
    action: str | None
    delivery_id: str
    at: Instant
    body: bytes
    numbers: tuple[int, ...] = ()
    content_type: str = JSON
    repository_id: int = 0

    def headers(self) -> dict[str, str]:
        """Return the headers of a hook without a secret."""
        return {
            "Content-Type": self.content_type,
            "User-Agent": "GitHub-Hookshot/5117ed8",
            "X-GitHub-Delivery": self.delivery_id,
            "X-GitHub-Event": self.event,
            "X-GitHub-Hook-ID": str(HOOK_ID),
            "X-GitHub-Hook-Installation-Target-ID": str(self.repository_id),
            "X-GitHub-Hook-Installation-Target-Type": "repository",
        }

    def signed_headers(self, secret: str) -> dict[str, str]:
        """Return the headers of a hook with that secret: HMAC-SHA256 over the bytes as sent."""
        signature = hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest()
        return self.headers() | {"X-Hub-Signature-256": f"sha256={signature}"}

    def as_form(self) -> "Delivery":
        """Return the same delivery as a hook of content type `form` sends it."""
        if self.content_type == FORM:
            return self
        body = f"payload={quote_plus(self.body)}".encode()
        return msgspec.structs.replace(self, body=body, content_type=FORM)
