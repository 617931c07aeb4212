"""The effective configuration is in the log, once for each change."""

from pathlib import Path

import msgspec

from events.facts.operations import ConfigurationRecorded
from events.log.memory import MemoryLog
from events.translate import translate
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import RuleSet
from services.audit.configuration import record_configuration, record_rules
from services.config.repository import ExclusionSettings, RepositorySettings
from services.config.settings import Decided, Settings
from services.logs.walk import entries
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


def test_rule_sets_are_told_by_their_content_when_they_change() -> None:
    clock = SetClock(1)
    log = MemoryLog(clock)
    plain = Settings(data=DATA)
    own = RepositorySettings(name="acme/widget", exclusions=ExclusionSettings(ci=("build/ci/",)))
    ruled = Settings(data=DATA, decided=Decided(repositories=(own,)))
    appended = [record_rules(log, each, clock) for each in (plain, plain, ruled, plain)]
    assert appended == [True, False, True, True]
    facts = [fact for entry in entries(log, "github.com") for fact in translate(entry.record).facts]
    sets = [
        msgspec.json.decode(fact.content, type=dict[str, RuleSet])
        for fact in facts
        if isinstance(fact, ConfigurationRecorded) and fact.kind == "rules"
    ]
    assert [list(each) for each in sets] == [["*"], ["*", own.key], ["*"]]
    assert sets[0]["*"].digest == DEFAULT_RULES.digest
    rules = ruled.exclusion_rules("acme/widget")
    assert sets[1][own.key].digest == rules.digest
    assert [rule.name for rule in rules.ci] == ["build/ci/"]
    assert rules.test == DEFAULT_RULES.test
    assert ruled.exclusion_rules("acme/other") == DEFAULT_RULES
