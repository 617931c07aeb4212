"""Keeps clones of the tracked repositories and appends what changes in them."""

from services.intake.mirror.errors import MirrorStopped, RemoteFault, RemoteTooSlow
from services.intake.mirror.mirror import Mirror
from services.intake.mirror.target import Target
from services.intake.mirror.worker import Fetched

__all__ = ["Fetched", "Mirror", "MirrorStopped", "RemoteFault", "RemoteTooSlow", "Target"]
