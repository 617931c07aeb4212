"""Webhook ingestion: from an HTTP request to a durable record."""

from services.intake.webhooks.first import deliveries_first
from services.intake.webhooks.ingest import Ingest, webhook_router
from services.intake.webhooks.limits import Limits, Policy
from services.intake.webhooks.signature import Secrets

__all__ = ["Ingest", "Limits", "Policy", "Secrets", "deliveries_first", "webhook_router"]
