"""Where a language model is that may propose sentences; without these settings none is asked."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class LanguageModelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the model is; `url` is the API's root, up to and with its version (`…/v1`)."""

    url: str
    model: str
    key_env: str | None = None
    """The environment variable with the key, where the endpoint wants one."""
    timeout_seconds: float = 60.0

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, for what cannot work."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: {self.url!r} is no address")
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise ValueError("url: plain http is for this machine only; write https")
        if parts.username or parts.password:
            raise ValueError("url: no credentials in it; name their variable in key_env")
        if not self.model.strip():
            raise ValueError("model: name the model that is to be asked")
        if self.timeout_seconds <= 0:
            raise ValueError("timeout_seconds: write more than 0")


def model_key(environment: Mapping[str, str], settings: LanguageModelSettings | None) -> str | None:
    """Return the key of the model, None where none is named or its variable is not set."""
    if settings is None or settings.key_env is None:
        return None
    return environment.get(settings.key_env) or None
