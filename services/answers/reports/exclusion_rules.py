"""From settings to the rules that a report goes by."""

from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import RuleSet
from services.config.settings import Settings


def exclusion_rules(settings: Settings, name_or_key: str) -> RuleSet:
    """Return the rules of a repository, the default ones where none are configured."""
    found = settings.repository(name_or_key)
    return DEFAULT_RULES if found is None else found.exclusions.rules()
