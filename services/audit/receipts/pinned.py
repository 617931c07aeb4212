"""Configurations and rule sets as they were recorded, found by digest or by known time.

A receipt is verified with these and never with today's settings; a report is compared with what it
said under the rules of then.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from events.errors import NotFound
from events.facts.operations import ConfigurationRecorded
from events.identity import DEFAULT_HOST, host_key
from events.instant import Instant
from events.translate import translate
from projections.period_ledger.exclusions import RuleSet
from services.audit.configuration import DEFAULT, KIND, RULES
from services.config.settings import Decided, Settings
from services.logs.walk import entries
from services.stream.stores import Stores

#: Nothing of a machine is recorded, so settings read back from the log have no folder.
_NOWHERE: Final = Path()


class Unreadable(NotFound):
    """What was configured then was written by a program that this one does not understand."""


def settings_with(stores: Stores, digest: str) -> Settings:
    """Return the settings recorded under a digest; raise NotFound, or Unreadable."""
    for _, fact in _recorded(stores, KIND):
        if fact.digest == digest:
            return _settings(fact)
    if stores.settings.digest == digest:
        return stores.settings
    raise NotFound(f"no configuration with the digest {digest[:12]}… is recorded in this log")


def rules_with(stores: Stores, digest: str, name: str, settings: Settings) -> RuleSet:
    """Return the rule set of a digest; raise NotFound.

    Rules that follow from `settings` need no record of their own; those that came with a program
    are in the log since it began to work.
    """
    derived = settings.exclusion_rules(name)
    if derived.digest == digest:
        return derived
    for _, fact in _recorded(stores, RULES):
        for rules in _rule_sets(fact).values():
            if rules.digest == digest:
                return rules
    raise NotFound(f"no rule set with the digest {digest[:12]}… is recorded in this log")


def rules_at(stores: Stores, name: str, known_at: Instant) -> RuleSet | None:
    """Return the rules that held for a repository at K; None where none were recorded by then."""
    sets = _last(stores, RULES, known_at)
    if sets is None:
        return None
    configured = _last(stores, KIND, known_at)
    settings = stores.settings if configured is None else _settings(configured)
    repository = settings.repository(name)
    by_key = _rule_sets(sets)
    return by_key.get(DEFAULT if repository is None else repository.key) or by_key.get(DEFAULT)


def _last(stores: Stores, kind: str, known_at: Instant) -> ConfigurationRecorded | None:
    facts = [fact for at, fact in _recorded(stores, kind) if at <= known_at]
    return facts[-1] if facts else None


def _recorded(stores: Stores, kind: str) -> Iterator[tuple[Instant, ConfigurationRecorded]]:
    """Yield the configurations of one kind with the time at which each was recorded."""
    host = host_key(DEFAULT_HOST)
    for entry in entries(stores.log, stores.partition_of(host)):
        if entry.record.repository != host or entry.record.source != "configuration":
            continue
        for fact in translate(entry.record).facts:
            if isinstance(fact, ConfigurationRecorded) and fact.kind == kind:
                yield entry.recorded_at, fact


def _settings(fact: ConfigurationRecorded) -> Settings:
    try:
        decided = msgspec.json.decode(fact.content, type=Decided)
    except msgspec.ValidationError as error:
        raise Unreadable(
            f"this program cannot read the configuration {fact.digest[:12]}… recorded then: {error}"
        ) from error
    return Settings(data=_NOWHERE, decided=decided)


def _rule_sets(fact: ConfigurationRecorded) -> dict[str, RuleSet]:
    try:
        return msgspec.json.decode(fact.content, type=dict[str, RuleSet])
    except msgspec.ValidationError as error:
        raise Unreadable(
            f"this program cannot read the rule sets {fact.digest[:12]}… recorded then: {error}"
        ) from error
