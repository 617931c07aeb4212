"""From the durable queue, to which every delivery is written first, on to Kafka."""

from services.config.queue import QueueLimits, QueueRetention
from services.logs.queue.forwarder import Forwarder
from services.logs.queue.position import PositionFile
from services.logs.queue.pruner import Pruner
from services.logs.queue.room import Room

__all__ = ["Forwarder", "PositionFile", "Pruner", "QueueLimits", "QueueRetention", "Room"]
