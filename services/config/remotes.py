"""Remotes: which ones are safe to hand to git, and how they are spoken of.

Accepted are https, http and ssh URLs, the short form `user@host:path`, and paths of this machine.
Everything else that git would understand is refused: transport helpers (`ext::`) run programs,
`-option` and hosts with a leading dash become options of git or ssh, and `file://` is only another
way to write a path. Error texts here never repeat what was given: it may hold a password.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

#: What git may speak to reach a remote. A user's `insteadOf` may turn https into ssh and back; a
#: redirect from https to http is not followed.
_PROTOCOLS: Final = {"https": "https:ssh", "http": "http:https", "ssh": "ssh:https"}
_URL: Final = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*)://")
_HOST: Final = r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
_SHORT: Final = re.compile(rf"^(?:[A-Za-z0-9_][A-Za-z0-9._~+-]*@)?{_HOST}:(?!-|/?/-)(?!:)[^:]+\Z")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f]+")
_ACCEPTED: Final = "write an https://, http:// or ssh:// URL, user@host:path, or a path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A remote that has been found safe."""

    address: str = field(repr=False)
    protocols: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def local(self) -> bool:
        """Tell whether it is a path of this machine."""
        return self.protocols == "file"

    @property
    def shown(self) -> str:
        """The address as it may be logged."""
        return self.clean(self.address)

    def clean(self, text: str) -> str:
        """Return a text without credentials and without control characters."""
        text = without_credentials(text)
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return _UNPRINTABLE.sub(" ", text).strip()


def parse_remote(text: str) -> Remote:
    """Return a remote; raise ValueError, with what to write instead, for one that is not safe."""
    if not text or _UNPRINTABLE.search(text) or text != text.strip():
        raise ValueError(f"a remote is empty or has blanks or control characters; {_ACCEPTED}")
    if text.startswith("-"):
        raise ValueError(f"a remote begins with a dash, as options do; {_ACCEPTED}")
    if re.match(r"^[A-Za-z0-9+.-]*::", text):
        raise ValueError(f"a remote names a transport helper (`name::`); {_ACCEPTED}")
    url = _URL.match(text)
    if url:
        return _url(text, url[1])
    if _SHORT.match(text):
        return Remote(address=text, protocols=_PROTOCOLS["ssh"])
    if ":" in text.partition("/")[0]:
        raise ValueError(f"a remote is neither a URL nor user@host:path nor a path; {_ACCEPTED}")
    return Remote(address=str(Path(text).absolute()), protocols="file")


def is_path(text: str) -> bool:
    """Tell whether a remote is a path of this machine, as far as its form goes."""
    return ":" not in text.partition("/")[0] and not text.startswith("-")


def has_credentials(text: str) -> bool:
    """Tell whether a URL carries a password, or a user where that alone may be a token."""
    user_info = re.match(r"^([a-zA-Z0-9+.-]*)://([^\s/]*)@", text)
    if user_info is None:
        return False
    return user_info[1].lower() != "ssh" or ":" in user_info[2]


def _url(text: str, scheme: str) -> Remote:
    protocols = _PROTOCOLS.get(scheme)
    if scheme.lower() == "file":
        raise ValueError("a remote is a file:// URL; write the path itself")
    if protocols is None:
        raise ValueError(f"a remote has a scheme that is not accepted; {_ACCEPTED}")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port  # each raises where it cannot be read
    except ValueError:
        raise ValueError("a remote has a host or port that cannot be read") from None
    user = parts.netloc.rpartition("@")[0]
    if not re.fullmatch(_HOST, f"[{host}]" if ":" in host else host):
        raise ValueError("a remote has a host that cannot be one")
    if user.startswith("-") or re.match(r"/+-", parts.path) or len(parts.path) < 2:
        raise ValueError("a remote has no path, or a user or path that begins with a dash")
    return Remote(address=text, protocols=protocols, secrets=_secrets(user, scheme))


def _secrets(user_info: str, scheme: str) -> tuple[str, ...]:
    """Return every form of what must not be shown, the longest first."""
    user, _, password = user_info.partition(":")
    secret = password or (user if scheme != "ssh" else "")
    return tuple(sorted({secret, unquote(secret)} - {""}, key=len, reverse=True))


def without_credentials(text: str) -> str:
    """Return a text in which no URL names a user or a password."""
    return re.sub(r"(?<=://)[^/\s'\"]*@", "", text)
