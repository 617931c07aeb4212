"""GitHub webhook deliveries -> facts. See README.md for how to add a kind of event."""

from events.sources.github_webhook.kinds import KNOWN_ACTIONS, UNKNOWN_PREFIX, UNUSED
from events.sources.github_webhook.routing import Routing, read_routing, valid_host
from events.sources.github_webhook.translator import HANDLED, is_known, translate

__all__ = [
    "HANDLED",
    "KNOWN_ACTIONS",
    "UNKNOWN_PREFIX",
    "UNUSED",
    "Routing",
    "is_known",
    "read_routing",
    "translate",
    "valid_host",
]
