"""Runs git: without a shell, without prompts, with an environment of our own.

Nothing that comes from a repository or a user (names of refs, globs) is put on a command line;
commit ids are given on standard input. What git says on failure is matched against a closed set
of messages, each with what to do about it; credentials in URLs never reach an error text.
"""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Final

from events.errors import ConfigurationError, InvalidQuestion, ShipledgerError
from services.config.remotes import without_credentials
from services.intake.git.isolation import OFFLINE_SETTINGS, SAFE_SETTINGS, clean_environment

_CHUNK: Final = 1 << 20

#: Settings that would change what the commands print, beside those of `isolation.py`.
_SETTINGS: Final = (
    *SAFE_SETTINGS,
    *OFFLINE_SETTINGS,
    "-c", "log.showRoot=true",
    "-c", "safe.bareRepository=all",
    "-c", "core.bigFileThreshold=512m",
)  # fmt: skip


class GitFault(ShipledgerError):
    """git could not read the repository; the message says what to do."""


class ObjectsMissing(GitFault):
    """Objects that git was asked for are absent or damaged; others may be readable."""


_FAULTS: Final[tuple[tuple[str, Callable[[str], ShipledgerError], str], ...]] = (
    (
        r"not a git repository",
        InvalidQuestion,
        "{path} is not a git repository; give the folder of the clone itself",
    ),
    (
        r"dubious ownership",
        InvalidQuestion,
        "{path} belongs to another user and git refuses to read it; if you trust it, run: "
        "git config --global --add safe.directory {path}",
    ),
    (
        r"[Pp]ermission denied",
        InvalidQuestion,
        "{path} cannot be read by this user; give it read access to the clone",
    ),
    (
        r"transport '.*' not allowed|from promisor remote",
        ObjectsMissing,
        "{path} lacks the trees of its commits (a treeless partial clone), so changed paths cannot "
        "be read; run: git fetch --refetch --filter=blob:none",
    ),
    (
        r"bad object|missing object|unable to read|could not read|Could not read|is corrupt"
        r"|file .* is empty|bad tree|missing (?:blob|tree|commit)|bad revision",
        ObjectsMissing,
        "{path} lacks objects or holds damaged ones; run: git fsck, then git fetch or clone again",
    ),
    (
        r"unrecognized argument|unknown option|invalid option|ambiguous argument",
        ConfigurationError,
        "this git is too old; install git 2.32 or later",
    ),
)


class Git:
    """The git command line in one folder; `path` is absolute, so it can never look like an option.

    Repositories in folders above `path` are not looked for: a folder inside a clone is not it.
    """

    def __init__(self, path: Path, *, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """`more` are variables that say to git where parts of the repository are."""
        self.path = path.resolve()
        self._more = more

    def run(
        self, *arguments: str, stdin: bytes | IO[bytes] = b"", ok: Sequence[int] = (0,)
    ) -> bytes:
        """Return what git prints; raise the matching error for an exit status not in `ok`."""
        process = self._finished(arguments, stdin)
        if process.returncode not in ok:
            raise self._fault(process.returncode, process.stderr)
        return process.stdout

    def succeeds(self, *arguments: str) -> bool | None:
        """Return git's yes or no (exit status 0 or 1), None where it cannot tell."""
        return {0: True, 1: False}.get(self._finished(arguments, b"").returncode)

    def _finished(
        self, arguments: Sequence[str], stdin: bytes | IO[bytes]
    ) -> subprocess.CompletedProcess[bytes]:
        source: dict[str, Any] = {"input" if isinstance(stdin, bytes) else "stdin": stdin}
        try:
            return subprocess.run(  # noqa: S603 (fixed commands, no shell)
                self._command(arguments),
                cwd=self.path,
                env=self._environment(),
                capture_output=True,
                check=False,
                **source,
            )
        except FileNotFoundError as error:
            raise self._cannot_start(error) from error

    @contextmanager
    def stream(self, *arguments: str, lines: Sequence[str]) -> Iterator[Iterator[bytes]]:
        """Start git with `lines` on its standard input and yield its output in chunks.

        Leaving early ends git. Leaving at the end raises the matching error if git failed.
        """
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
            stdin.write("".join(f"{line}\n" for line in lines).encode())
            stdin.seek(0)
            process = self._start(arguments, stdin, stderr)
            output = process.stdout
            assert output is not None
            with process:
                try:
                    yield iter(lambda: output.read(_CHUNK), b"")
                except BaseException:
                    process.kill()
                    raise
            if process.returncode:
                stderr.seek(0)
                raise self._fault(process.returncode, stderr.read())

    def _start(
        self, arguments: Sequence[str], stdin: IO[bytes], stderr: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 (fixed commands, no shell)
                self._command(arguments),
                cwd=self.path,
                env=self._environment(),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        except FileNotFoundError as error:
            raise self._cannot_start(error) from error

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return ["git", "--no-pager", "--no-replace-objects", *_SETTINGS, *arguments]

    def _environment(self) -> dict[str, str]:
        fixed = {
            "GIT_ALLOW_PROTOCOL": "",  # a clone's `protocol.ext.allow` goes before `protocol.allow`
            "GIT_CEILING_DIRECTORIES": str(self.path.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
        }
        return {**clean_environment(), **fixed, **self._more}

    def _cannot_start(self, error: FileNotFoundError) -> ShipledgerError:
        if self.path.is_dir():
            return ConfigurationError("git is not installed; install git 2.32 or later")
        return InvalidQuestion(f"{self.path} is not there ({error.strerror})")

    def _fault(self, status: int, stderr: bytes) -> ShipledgerError:
        message = stderr.decode("utf-8", "replace").strip()
        for pattern, kind, advice in _FAULTS:
            if re.search(pattern, message):
                return kind(advice.format(path=self.path))
        last = without_credentials(message.splitlines()[-1] if message else "nothing")
        return GitFault(f"git ended with status {status} in {self.path} and said: {last}")
