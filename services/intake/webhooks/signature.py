"""Who sent it: HMAC-SHA256 over the raw bytes of the body, in constant time.

https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from typing import Final

from events.errors import ConfigurationError

_HEADER: Final = re.compile(r"^sha256=([0-9a-fA-F]{64})\Z")


class Secrets:
    """The secrets that are valid now. Several at once make a rotation without loss possible.

    A repository with secrets of its own accepts only those. It is named by its full name or by its
    key (`github.com/1001`); the key is looked up first. Only the key is proof against someone who
    knows the secret of *another* repository: a body names both, and he may combine them freely.
    """

    def __init__(
        self,
        general: Iterable[str] = (),
        *,
        by_repository: Mapping[str, Iterable[str]] | None = None,
        allow_insecure: bool = False,
    ) -> None:
        self._general = _encode(general)
        self._by_repository = {
            name.lower(): _encode(secrets) for name, secrets in (by_repository or {}).items()
        }
        empty = sorted(name for name, secrets in self._by_repository.items() if not secrets)
        if empty:
            raise ConfigurationError(f"no webhook secret for {', '.join(empty)}: give one or more")
        configured = bool(self._general or self._by_repository)
        self._insecure = allow_insecure and not configured
        if not configured and not allow_insecure:
            raise ConfigurationError(
                "no webhook secret: set SHIPLEDGER_WEBHOOK_SECRET, or allow unsigned deliveries "
                "explicitly (never on an address that others can reach)"
            )

    @property
    def insecure(self) -> bool:
        """True where deliveries are accepted without any signature."""
        return self._insecure

    @property
    def depend_on_repository(self) -> bool:
        """True where the repository has to be looked up to know which secrets are valid."""
        return bool(self._by_repository)

    def verify(self, body: bytes, header: str, names: Iterable[str] = ()) -> bool:
        """Tell whether a valid secret signed these bytes.

        `names` are the key and the full name that the body claims; they only choose the secrets.
        """
        claimed = _HEADER.match(header)
        if claimed is None:
            return False
        signature = bytes.fromhex(claimed[1])
        # All are tried before any is looked at, so that the time does not tell which one fits.
        fits = [hmac.compare_digest(_sign(secret, body), signature) for secret in self._of(names)]
        return any(fits)

    def _of(self, names: Iterable[str]) -> tuple[bytes, ...]:
        for name in names:
            secrets = self._by_repository.get(name.lower())
            if secrets is not None:
                return secrets
        return self._general

    def __repr__(self) -> str:
        return f"Secrets(general={len(self._general)}, repositories={len(self._by_repository)})"


def sign(secret: str, body: bytes) -> str:
    """Return the header `X-Hub-Signature-256` that GitHub would send."""
    return f"sha256={_sign(secret.encode(), body).hex()}"


def _sign(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, body, hashlib.sha256)


def _encode(secrets: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(secret.encode() for secret in secrets if secret)
