"""A small world from a seed: a git repository, its webhook deliveries, and the truth about both."""

from services.simulator.delivery import Delivery
from services.simulator.truth import Truth
from services.simulator.world import World, simulate

__all__ = ["Delivery", "Truth", "World", "simulate"]
