"""July 2026 of the real history: the published difference, and what the default rules change.

`excluded_july.csv` holds each request whose class differs between the rules by which the published
figures were compared (MODEL.md 4) and the default ones, with the default rules that decide it.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.identity import name_key
from events.log.memory import MemoryLog
from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.excluding import Exclusions, exclusions
from projections.period_ledger.exclusions import Rule, RuleSet
from projections.period_ledger.queries import ledger
from projections.repositories.branch_roles import BranchRoles
from projections.store.snapshot import Snapshot
from services.answers.questions.period import period
from services.intake.git.importer import import_git
from tests.real_history import BRANCHES, NAME, rebuilt
from tests.worlds import log_end, project

REPOSITORY = name_key("github.com", NAME)
JULY = period("2026-07-01", "2026-08-01", "Asia/Shanghai")
TABLE = Path(__file__).with_name("excluded_july.csv")
NOW = 1_800_000_000_000_000


def _plain(*folders: str) -> tuple[Rule, ...]:
    return tuple(Rule(name=folder, globs=(folder,)) for folder in folders)


PUBLISHED = RuleSet(
    ci=_plain(".github/", "ci/", "tools/ci/", "tests/test_utils/python_scripts/"),
    test=_plain("tests/", "test/"),
)


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    made = MemoryLog(lambda: NOW)
    import_git(
        rebuilt(),
        log=made,
        repository=REPOSITORY,
        full_name=NAME,
        clock=lambda: NOW,
        branches=BRANCHES,
    )
    return made


@pytest.fixture(scope="module")
def snapshot(log: MemoryLog) -> Iterator[Snapshot]:
    with project(log).snapshot() as opened:
        yield opened


def july(snapshot: Snapshot, log: MemoryLog, rules: RuleSet) -> Exclusions:
    known_at = log_end(log, REPOSITORY)
    found = ledger(snapshot, REPOSITORY, JULY.start, JULY.end, known_at, BranchRoles())
    return exclusions(snapshot, REPOSITORY, found, known_at, rules)


def test_the_rules_of_the_published_figures_give_the_published_difference(
    snapshot: Snapshot, log: MemoryLog
) -> None:
    found = july(snapshot, log, PUBLISHED)
    assert Counter(found.classes.values()) == {"kept": 207, "ci-only": 18, "test-only": 23}
    assert found.filtered["merged"] == 207
    assert found.doubtful == ()
    assert {name: count for name, count in found.filtered.items() if count is not None} == {
        "merged": 207
    }


def test_each_difference_of_the_default_rules_stands_in_the_table(
    snapshot: Snapshot, log: MemoryLog
) -> None:
    published, default = (july(snapshot, log, rules) for rules in (PUBLISHED, DEFAULT_RULES))
    found = [
        {
            "number": str(number),
            "reference": kind,
            "default": default.classes[number],
            "rules": "; ".join(default.requests[number].verdict.rules),
        }
        for number, kind in published.classes.items()
        if kind != default.classes[number]
    ]
    with TABLE.open(encoding="utf-8", newline="") as table:
        assert found == list(csv.DictReader(table))


def test_other_rules_change_the_answer_and_no_data(snapshot: Snapshot, log: MemoryLog) -> None:
    published, default = (july(snapshot, log, rules) for rules in (PUBLISHED, DEFAULT_RULES))
    assert published.digest != default.digest
    assert published.classes != default.classes
    files = [
        {n: each.files for n, each in found.requests.items()} for found in (published, default)
    ]
    assert files[0] == files[1]
