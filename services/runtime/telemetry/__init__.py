"""What operators see: metrics and structured logs."""

from services.runtime.telemetry.logging import configure_logging
from services.runtime.telemetry.metrics import Metrics

__all__ = ["Metrics", "configure_logging"]
