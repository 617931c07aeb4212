"""From the durable queue, to which every delivery is written first, on to Kafka."""

from services.forward.forwarder import Forwarder
from services.forward.position import PositionFile
from services.forward.pruner import Pruner, QueueRetention
from services.forward.room import QueueLimits, Room

__all__ = ["Forwarder", "PositionFile", "Pruner", "QueueLimits", "QueueRetention", "Room"]
