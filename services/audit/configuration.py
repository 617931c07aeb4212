"""The effective configuration and the rule sets as records: every input of an answer is in the log.

A record's id is derived from the one before of its kind and its content, so that going back to an
older configuration is told as well; writing the same one again appends nothing.
"""

from typing import Final

import msgspec

from events.facts.operations import ConfigurationRecorded
from events.identity import DEFAULT_HOST, body_digest, derived_id, host_key
from events.log.port import Clock, Log
from events.sources.authored import author
from events.translate import translate
from projections.period_ledger.default_rules import DEFAULT_RULES
from services.config.settings import Settings
from services.logs.walk import entries

KIND: Final = "settings"
RULES: Final = "rules"
#: Under this name stand the rules of every repository that configures none.
DEFAULT: Final = "*"


def record_configuration(log: Log, settings: Settings, clock: Clock) -> bool:
    """Append the configuration if it is not the one recorded last; tell whether it was."""
    return _record(log, KIND, settings.content, clock)


def record_rules(log: Log, settings: Settings, clock: Clock) -> bool:
    """Append the rule sets in force if they are not those recorded last; tell whether they were.

    They change with the configuration, and with a program that brings other defaults.
    """
    return _record(log, RULES, rules_content(settings), clock)


def rules_content(settings: Settings) -> bytes:
    """Return the rule sets by repository as canonical JSON; each value's SHA-256 is its digest."""
    rules = {
        repository.key: repository.exclusions.rules()
        for repository in settings.decided.repositories
    }
    return msgspec.json.encode({DEFAULT: DEFAULT_RULES, **rules}, order="deterministic")


def _record(log: Log, kind: str, content: bytes, clock: Clock) -> bool:
    partition = host_key(DEFAULT_HOST)
    digest = body_digest(content)
    previous, last = _last(log, partition, kind)
    if digest == last:
        return False
    fact = ConfigurationRecorded(digest=digest, kind=kind, content=content.decode())
    record_id = derived_id("configuration", kind, previous, digest)
    log.append([author(partition, fact, time=clock(), record_id=record_id)])
    return True


def _last(log: Log, partition: str, kind: str) -> tuple[str, str | None]:
    """Return id and digest of what was recorded last of a kind."""
    latest: tuple[str, str | None] = ("", None)
    for record in (entry.record for entry in entries(log, partition)):
        for fact in translate(record).facts if record.source == "configuration" else ():
            if isinstance(fact, ConfigurationRecorded) and fact.kind == kind:
                latest = record.id, fact.digest
    return latest
