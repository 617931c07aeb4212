"""One connection to a webhook address, over which deliveries go in order."""

import http.client
import ssl
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from events.errors import InvalidQuestion, TransientError
from services.intake.sending.stored import StoredDelivery
from services.intake.webhooks.signature import sign

#: Seconds; GitHub itself gives up after 10.
_TIMEOUT: Final = 30.0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the receiver said; `outcome` is its word for it, or its error code."""

    status: int
    outcome: str
    message: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the delivery is durable, or known already, or counted and not wanted."""
        return 200 <= self.status < 300


class Sender:
    """Posts deliveries to one address, signed with one secret (none: unsigned)."""

    def __init__(self, url: str, secret: str | None) -> None:
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise InvalidQuestion(
                f"{url!r} is no address; write http://127.0.0.1:8080/webhooks/github"
            )
        self._url = url
        self._path = address.path or "/"
        self._secret = secret
        self._connection: http.client.HTTPConnection = (
            http.client.HTTPSConnection(
                address.hostname,
                address.port,
                timeout=_TIMEOUT,
                context=ssl.create_default_context(),
            )
            if address.scheme == "https"
            else http.client.HTTPConnection(address.hostname, address.port, timeout=_TIMEOUT)
        )

    def send(self, delivery: StoredDelivery) -> Answer:
        """Post one delivery; raise TransientError where nobody answers."""
        headers = dict(delivery.headers)
        if self._secret is not None:
            headers["X-Hub-Signature-256"] = sign(self._secret, delivery.body)
        try:
            self._connection.request("POST", self._path, delivery.body, headers)
            response = self._connection.getresponse()
            return _answer(response.status, response.read())
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise TransientError(
                f"{self._url} does not answer ({error or type(error).__name__}); is "
                "`shipledger up` running there?"
            ) from error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _answer(status: int, body: bytes) -> Answer:
    try:
        fields = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.MsgspecError:
        fields = {}
    outcome = fields.get("outcome") or fields.get("error") or f"http {status}"
    return Answer(status=status, outcome=str(outcome), message=str(fields.get("message", "")))
