"""The effective configuration is in the log, once for each change."""

from pathlib import Path

import msgspec

from events.facts.operations import ConfigurationRecorded
from events.log.memory import MemoryLog
from events.translate import translate
from services.configuration import record_configuration
from services.logs.walk import entries
from services.settings import Decided, Settings
from tests.worlds import SetClock

DATA = Path("unused")


def test_each_change_is_told_also_a_change_back() -> None:
    clock = SetClock(1)
    log = MemoryLog(clock)
    settings = [
        Settings(data=DATA, decided=Decided(zone=zone))
        for zone in ("UTC", "UTC", "Asia/Kolkata", "UTC", "UTC")
    ]
    appended = [record_configuration(log, each, clock) for each in settings]
    assert appended == [True, False, True, True, False]
    facts = [fact for entry in entries(log, "github.com") for fact in translate(entry.record).facts]
    assert [
        msgspec.json.decode(fact.content)["zone"]
        for fact in facts
        if isinstance(fact, ConfigurationRecorded)
    ] == ["UTC", "Asia/Kolkata", "UTC"]
