"""The effective configuration as a record: every input of an answer is in the log.

Its id is derived from the one before and its content, so that going back to an older configuration
is told as well; writing the same one again appends nothing.
"""

from typing import Final

from events.facts.operations import ConfigurationRecorded
from events.identity import DEFAULT_HOST, derived_id, host_key
from events.log.port import Clock, Log
from events.sources.authored import author
from events.translate import translate
from services.logs.walk import entries
from services.settings import Settings

KIND: Final = "settings"


def record_configuration(log: Log, settings: Settings, clock: Clock) -> bool:
    """Append the configuration if it is not the one recorded last; tell whether it was."""
    partition = host_key(DEFAULT_HOST)
    previous = ""
    digest: str | None = None
    for record in (entry.record for entry in entries(log, partition)):
        for fact in translate(record).facts if record.source == "configuration" else ():
            if isinstance(fact, ConfigurationRecorded) and fact.kind == KIND:
                previous, digest = record.id, fact.digest
    if digest == settings.digest:
        return False
    fact = ConfigurationRecorded(
        digest=settings.digest, kind=KIND, content=settings.content.decode()
    )
    record_id = derived_id("configuration", KIND, previous, settings.digest)
    log.append([author(partition, fact, time=clock(), record_id=record_id)])
    return True
