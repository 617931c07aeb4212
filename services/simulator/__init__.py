"""A small world from a seed: a git repository, its webhook deliveries, and the truth about both."""

from services.simulator.delivery import Delivery
from services.simulator.shapes import SHAPES, Shape
from services.simulator.truth import Truth
from services.simulator.world import World, simulate

__all__ = ["SHAPES", "Delivery", "Shape", "Truth", "World", "simulate"]
