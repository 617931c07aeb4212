"""What a mirror remembers over restarts, beside the log: which requests to fetch it has answered.

Losing it costs one fetch and makes the dates of the next changes less close, never wrong.
"""

from pathlib import Path
from typing import Final

import msgspec
import structlog

from events.instant import Instant
from services.logs.files import whole_file

_VERSION: Final = 1

_logger = structlog.get_logger(__name__)


class MirrorState(msgspec.Struct, frozen=True, kw_only=True):
    """`next_position`: all records before it that ask for a fetch had one. `asked_at`: when the
    last fetch that was recorded began. `follows`: the patterns of refs that it fetched.
    """

    version: int = _VERSION
    next_position: int = 0
    asked_at: Instant | None = None
    follows: tuple[str, ...] | None = None


class StateFile:
    """The state of one mirror as a file that is there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> MirrorState:
        """Return the state, an empty one where there is none that can be read."""
        try:
            state = msgspec.json.decode(self._path.read_bytes(), type=MirrorState)
        except FileNotFoundError:
            return MirrorState()
        except (OSError, msgspec.MsgspecError) as error:
            _logger.warning("mirror.state_unreadable", path=str(self._path), error=str(error))
            return MirrorState()
        return state if state.version == _VERSION else MirrorState()

    def save(self, state: MirrorState) -> None:
        """Write the state durably; raise LogUnavailable where the disk does not take it."""
        with whole_file(self._path) as path:
            path.write_bytes(msgspec.json.encode(state))
