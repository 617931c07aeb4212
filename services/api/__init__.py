"""The HTTP API: questions in, reports and evidence out."""

from services.api.app import create_app
from services.api.context import Context

__all__ = ["Context", "create_app"]
