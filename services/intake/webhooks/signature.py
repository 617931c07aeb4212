"""Who sent it: HMAC-SHA256 over the raw bytes of the body, in constant time.

https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

import hmac
import re
from collections.abc import Iterable, Mapping
from itertools import chain
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
        #: Each once, in a steady order.
        self._all = tuple(
            dict.fromkeys((*self._general, *chain.from_iterable(self._by_repository.values())))
        )
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

    def own(self, name: str) -> bool:
        """Tell whether a repository (its key, or its full name) has secrets of its own."""
        return name.lower() in self._by_repository

    def fitting(self, body: bytes, header: str) -> frozenset[bytes]:
        """Return which of all secrets signed these bytes; the body is not read for that."""
        claimed = _HEADER.match(header)
        if claimed is None:
            return frozenset()
        signature = bytes.fromhex(claimed[1])
        # All are tried before any is looked at, so that the time does not tell which one fits.
        fits = [
            (hmac.compare_digest(_sign(secret, body), signature), secret) for secret in self._all
        ]
        return frozenset(secret for fit, secret in fits if fit)

    def allow(self, fitting: frozenset[bytes], names: Iterable[str]) -> bool:
        """Tell whether one of these secrets is valid for a repository.

        `names` are the key and the full name that the body claims; they only choose the secrets.
        """
        return not fitting.isdisjoint(self._of(names))

    def verify(self, body: bytes, header: str, names: Iterable[str] = ()) -> bool:
        """Tell whether a secret that is valid for a repository signed these bytes."""
        return self.allow(self.fitting(body, header), names)

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
    return hmac.digest(secret, body, "sha256")


def _encode(secrets: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(secret.encode() for secret in secrets if secret)
