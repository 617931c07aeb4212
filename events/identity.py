"""Keys and derived ids.

A repository key is `host/id` (`github.com/1001`): names are reused, ids are not. Where only a name
is known (a git clone) it is `host/name:owner/name`, in lower case, and stands on its own until a
person joins it. A record that belongs to no repository has the key `host` alone.
"""

import hashlib
from typing import Final, TypeAlias
from urllib.parse import quote

RepositoryKey: TypeAlias = str

DEFAULT_HOST: Final = "github.com"


def repository_key(host: str, repository_id: int) -> RepositoryKey:
    """Return the key of a repository whose numeric id is known."""
    return f"{host.lower()}/{repository_id}"


def name_key(host: str, full_name: str) -> RepositoryKey:
    """Return the key of a repository known only as `owner/name`."""
    owner, slash, name = full_name.partition("/")
    if not (slash and owner and name) or "/" in name:
        raise ValueError(f"not a repository name: {full_name!r} (write OWNER/NAME)")
    return f"{host.lower()}/name:{full_name.lower()}"


def host_key(host: str) -> RepositoryKey:
    """Return the key of records that belong to a host and to no repository."""
    return host.lower()


def is_repository(key: RepositoryKey) -> bool:
    """Tell whether a key names a repository (and not a host alone)."""
    return "/" in key


def host_of(key: RepositoryKey) -> str:
    """Return the host part of any key."""
    return key.partition("/")[0]


def source_uri(key: RepositoryKey) -> str:
    """Return the CloudEvents `source`: our own, stable across renames, unlike GitHub's URLs."""
    return f"shipledger://{quote(key, safe='/:')}"


def derived_id(*parts: str | int | bytes) -> str:
    """Return an id that the same parts always give again (32 hex digits)."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()[:32]


def body_digest(body: bytes) -> str:
    """Return the SHA-256 of a body as 64 hex digits."""
    return hashlib.sha256(body).hexdigest()
