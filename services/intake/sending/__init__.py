"""Posting stored deliveries, signed, as GitHub would send them."""

from services.intake.sending.sender import Answer, Sender
from services.intake.sending.stored import StoredDelivery, stored_deliveries

__all__ = ["Answer", "Sender", "StoredDelivery", "stored_deliveries"]
