"""What `shipledger.toml` may say of the mirror of one repository. No I/O."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from services.config.remotes import has_credentials, is_path, parse_remote

BRANCHES_AND_TAGS: Final = ("refs/heads/*", "refs/tags/*")
#: Branches that the merge queue makes and deletes by itself; nothing is ever released from them.
QUEUE: Final = "refs/heads/gh-readonly-queue/*"

_PATTERN: Final = re.compile(r"refs/(?:heads|tags|pull)/[A-Za-z0-9._/*+@=-]+")
_SHORTEST_INTERVAL: Final = 1.0


class MirrorSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a repository is fetched from, what of it, and how often.

    The remote is `remote`, a URL without credentials or a path (relative to the file), or the
    content of the environment variable `remote_env`, which may hold them. git's own credential
    helpers and ssh agents work as usual; git never asks.
    """

    remote: str | None = None
    remote_env: str | None = None
    interval_seconds: float = 300.0
    """Besides the fetches that webhooks cause: more than three tags pushed at once cause none."""
    time_limit_seconds: float = 3600.0
    refs: tuple[str, ...] = BRANCHES_AND_TAGS
    """Add `refs/pull/*/head` for the commits inside pull requests."""
    contents: bool = False
    """Whether files are fetched too, to find changes of the format alone and equal changes."""

    def check(self) -> None:
        """Raise ValueError, beginning with the name of the field, where something is wrong."""
        if (self.remote is None) == (self.remote_env is None):
            raise ValueError("remote: give either remote or remote_env")
        if self.remote is not None:
            _check_remote(self.remote)
        if self.interval_seconds < _SHORTEST_INTERVAL:
            raise ValueError(f"interval_seconds: must be at least {_SHORTEST_INTERVAL:g}")
        if self.time_limit_seconds <= 0:
            raise ValueError("time_limit_seconds: must be more than 0")
        for pattern in self.refs:
            _check_pattern(pattern)
        if not any(pattern.startswith("refs/heads/") for pattern in self.refs):
            raise ValueError("refs: must name branches, such as refs/heads/*")

    def address(self, environment: Mapping[str, str]) -> str:
        """Return the remote, empty where its variable is not set."""
        return self.remote or environment.get(self.remote_env or "", "")

    def within(self, folder: Path) -> "MirrorSettings":
        """Return the same with a relative path taken from `folder`."""
        if self.remote is None or not is_path(self.remote):
            return self
        return msgspec.structs.replace(self, remote=str((folder / self.remote).absolute()))


def _check_remote(remote: str) -> None:
    if has_credentials(remote):
        raise ValueError(
            "remote: credentials do not belong into a file; use a credential helper of git, or "
            "remote_env with the name of an environment variable that holds the whole URL"
        )
    try:
        parse_remote(remote)
    except ValueError as error:
        raise ValueError(f"remote: {error}") from None


def _check_pattern(pattern: str) -> None:
    odd = any(part.startswith((".", "-")) or part.endswith(".lock") for part in pattern.split("/"))
    if not _PATTERN.fullmatch(pattern) or pattern.count("*") > 1 or ".." in pattern or odd:
        raise ValueError(
            f"refs: {pattern!r} is not a pattern of refs; write refs/heads/*, refs/tags/* or "
            "refs/pull/*/head, with at most one *"
        )
