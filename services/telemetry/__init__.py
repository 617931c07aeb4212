"""What operators see: metrics and structured logs."""

from services.telemetry.logging import configure_logging
from services.telemetry.metrics import Metrics

__all__ = ["Metrics", "configure_logging"]
