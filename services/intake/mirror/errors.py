"""Why a mirror could not be brought up to date; all of these may pass by themselves."""

from events.errors import TransientError


class RemoteFault(TransientError):
    """The remote could not be fetched; the message names no credentials."""


class RemoteTooSlow(RemoteFault):
    """A fetch took longer than its time limit and was ended."""


class CloneUnusable(TransientError):
    """The folder of the clone could not be read or written."""


class MirrorStopped(TransientError):
    """The mirror was told to stop in the middle of a fetch; nothing was lost."""
