"""Looking at restatements, and records of decisions to make them with."""

from events.facts.base import Fact
from events.record import Record
from events.sources.authored import author
from services.audit.restatements import Restatement
from tests.builders import REPO, at

JULY = ("2026-07-01", "2026-08-01")


def decided(when: str, record_id: str, fact: Fact) -> tuple[str, Record]:
    return when, author(REPO, fact, time=at(when), record_id=record_id)


def differences(found: Restatement) -> dict[tuple[str, str], int | None]:
    return {(each.name.basis, each.name.count): each.difference for each in found.changes}


def causes(found: Restatement) -> set[tuple[int, str, str | None]]:
    return {(each.number, each.cause.kind, each.cause.record) for each in found.requests}


def balanced(found: Restatement) -> bool:
    return all(change.balances for change in found.changes)
