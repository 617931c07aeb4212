"""Webhook ingestion: from an HTTP request to a durable record."""

from services.intake.webhooks.app import create_app, webhook_router
from services.intake.webhooks.ingest import Ingest
from services.intake.webhooks.limits import Limits
from services.intake.webhooks.policy import Policy
from services.intake.webhooks.signature import Secrets

__all__ = ["Ingest", "Limits", "Policy", "Secrets", "create_app", "webhook_router"]
