"""Keeps clones of the tracked repositories and appends what changes in them."""

from services.mirror.errors import MirrorStopped, RemoteFault, RemoteTooSlow
from services.mirror.mirror import Mirror
from services.mirror.target import Target
from services.mirror.worker import Fetched

__all__ = ["Fetched", "Mirror", "MirrorStopped", "RemoteFault", "RemoteTooSlow", "Target"]
