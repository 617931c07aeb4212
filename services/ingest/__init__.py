"""Webhook ingestion: from an HTTP request to a durable record."""

from services.ingest.app import create_app, webhook_router
from services.ingest.ingest import Ingest
from services.ingest.limits import Limits
from services.ingest.policy import Policy
from services.ingest.signature import Secrets

__all__ = ["Ingest", "Limits", "Policy", "Secrets", "create_app", "webhook_router"]
