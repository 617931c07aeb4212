"""git commands that talk to a remote: they may hang, ask, or say what must not be repeated.

Each runs in a session of its own, so that it has no terminal to ask on and can be ended together
with the ssh, http and index processes it starts. The remote's address comes to git through the
environment: it stands neither on a command line nor in a file of the clone. Progress is written to
us through a pipe: should this process be killed, git finds nobody there and ends as well.
"""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from events.errors import ConfigurationError, TransientError
from services.config.remotes import Remote
from services.intake.git.isolation import SAFE_SETTINGS, clean_environment

#: The remote's name within our clones; one that no user's configuration speaks of.
NAME: Final = "shipledger"

_POLL: Final = 0.1
_GRACE: Final = 5.0
#: How a user says to git how to reach a remote and where its credentials come from.
_KEPT: Final = (
    "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY",
)  # fmt: skip
_SETTINGS: Final = (
    *SAFE_SETTINGS,
    "-c", f"remote.{NAME}.uploadpack=git-upload-pack",
    "-c", "credential.interactive=false",
    "-c", "fetch.recurseSubmodules=false",
    "-c", "gc.autoDetach=false",
    "-c", "http.lowSpeedLimit=100",
    "-c", "http.lowSpeedTime=120",
)  # fmt: skip


class RemoteFault(TransientError):
    """The remote could not be fetched; the message names no credentials."""


class RemoteTooSlow(RemoteFault):
    """A fetch took longer than its time limit and was ended."""


class CloneUnusable(TransientError):
    """The folder of the clone could not be read or written."""


class MirrorStopped(TransientError):
    """The mirror was told to stop in the middle of a fetch; nothing was lost."""


class _Said(NamedTuple):
    status: int
    output: bytes
    errors: str


class RemoteGit:
    """Runs git against one remote; `stopping` ends what runs."""

    def __init__(
        self, remote: Remote, refspecs: Sequence[str], *, stopping: threading.Event, limit: float
    ) -> None:
        self.remote = remote
        self._stopping = stopping
        self._limit = limit
        settings = [(f"remote.{NAME}.url", remote.address)]
        settings += [(f"remote.{NAME}.fetch", spec) for spec in refspecs]
        self._settings = {"GIT_CONFIG_COUNT": str(len(settings))}
        for nth, (key, value) in enumerate(settings):
            self._settings |= {f"GIT_CONFIG_KEY_{nth}": key, f"GIT_CONFIG_VALUE_{nth}": value}

    def run(self, folder: Path, *arguments: str) -> bytes:
        """Return what git prints; raise RemoteFault (or its kin) where it fails."""
        result = self._finish(self._start(folder, arguments))
        if result.status:
            raise RemoteFault(f"git {arguments[0]} of {self.remote.shown}: {self._why(result)}")
        return result.output

    def _start(self, folder: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        if self._stopping.is_set():
            raise MirrorStopped(f"the mirror of {self.remote.shown} is stopping")
        try:
            return subprocess.Popen(  # noqa: S603  # fixed commands, no shell
                ["git", "--no-pager", *_SETTINGS, *arguments],  # noqa: S607  # found in PATH
                cwd=folder,
                env=self._environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise ConfigurationError("git is not installed; install git 2.32 or later") from error

    def _environment(self, folder: Path) -> dict[str, str]:
        environment = clean_environment(_KEPT)
        environment.pop("SSH_ASKPASS", None)
        return (
            environment
            | self._settings
            | {
                "GCM_INTERACTIVE": "never",
                "GIT_ALLOW_PROTOCOL": self.remote.protocols,
                "GIT_CEILING_DIRECTORIES": str(folder.resolve().parent),
                "SSH_ASKPASS_REQUIRE": "never",
            }
        )

    def _finish(self, process: subprocess.Popen[bytes]) -> _Said:
        deadline = time.monotonic() + self._limit
        try:
            while True:
                try:
                    output, errors = process.communicate(timeout=_POLL)
                except subprocess.TimeoutExpired:
                    self._go_on(deadline)
                else:
                    return _Said(process.returncode, output, errors.decode("utf-8", "replace"))
        except BaseException:
            end_group(process)
            raise

    def _go_on(self, deadline: float) -> None:
        if self._stopping.is_set():
            raise MirrorStopped(f"the fetch of {self.remote.shown} was stopped")
        if time.monotonic() > deadline:
            raise RemoteTooSlow(
                f"the fetch of {self.remote.shown} took more than {self._limit:g} s and was ended"
            )

    def _why(self, result: _Said) -> str:
        lines = [line.strip() for line in re.split(r"[\r\n]+", result.errors)]
        faults = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))]
        reason = "; ".join(faults[-3:]) or next(
            (line for line in reversed(lines) if line), "nothing"
        )
        return f"status {result.status}, {self.remote.clean(reason)}"


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started: politely, so that git clears its locks, then not."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GRACE)
            break
    with suppress(ProcessLookupError):  # a child that outlived git and closed its pipes
        os.killpg(process.pid, signal.SIGKILL)
