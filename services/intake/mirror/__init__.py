"""Keeps clones of the tracked repositories and appends what changes in them."""

from services.intake.mirror.mirror import Mirror
from services.intake.mirror.process import MirrorStopped, RemoteFault, RemoteTooSlow
from services.intake.mirror.worker import Fetched, Target

__all__ = ["Fetched", "Mirror", "MirrorStopped", "RemoteFault", "RemoteTooSlow", "Target"]
