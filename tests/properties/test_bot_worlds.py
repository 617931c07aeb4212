"""Laws over small worlds with merge bots, users without a type, and late or doubled deliveries.

Each request of a world is landed by a bot that pushes and closes, merged by GitHub, closed, or left
open. The order of arrival, the seconds between push and close, what is remarked afterwards and the
copies of a second hook must not change what is told.
"""

import random
from typing import Any

import msgspec
import pytest

from events.facts.git import Commit
from events.instant import SECOND, format_instant
from events.record import Record
from services.answers.reports.assemble import Report
from services.answers.reports.of_which import of_which
from tests.builders import at, close, merge, pull_request
from tests.clones import clone, commit
from tests.lab import Lab, created, heard

USERS: tuple[dict[str, str] | None, ...] = (
    {"login": "dev-a", "type": "User"},
    {"login": "bors[bot]", "type": "Bot"},
    {"login": "old-server"},
    None,
)
ENDS = ("landed", "merged", "closed_without_merge", "open_at_end")
SUBJECTS = ("Fix ({n})", "Merge {n}", "Auto merge of {n} - dev-a:fix, r=dev-b")


class BotWorld:
    """A world of one seed: how each request ended, its author, its deliveries, and the clone."""

    def __init__(self, seed: int) -> None:
        self.chosen = random.Random(seed)
        self.ends: dict[int, str] = {}
        self.users: dict[int, dict[str, str] | None] = {}
        self.deliveries: list[Record] = []
        self.commits: list[Commit] = [commit("root", "Start", "02-01")]
        self.tip = "root"
        for number in range(1, 7):
            self._request(number)

    def _request(self, number: int) -> None:
        end, user = self.chosen.choice(ENDS), self.chosen.choice(USERS)
        self.ends[number], self.users[number] = end, user
        opened, closed = f"03-0{number} 09:00:00", f"03-1{number} 12:00:30"
        shown: dict[str, Any] = {"created_at": opened, "user": user}
        self.deliveries.append(pull_request(f"o{number}", number, "opened", opened, user=user))
        if end == "open_at_end":
            return
        ended = merge if end == "merged" else close
        self.deliveries.append(ended(f"c{number}", number, closed, **shown))
        if end == "landed":
            self._land(number, closed)
        if self.chosen.random() < 0.5:
            remarked = {**shown, "updated_at": f"03-2{number}"}
            self.deliveries.append(ended(f"r{number}", number, closed, **remarked))

    def _land(self, number: int, closed: str) -> None:
        pushed = format_instant(at(closed) + self.chosen.randrange(-90, 90) * SECOND)
        subject = self.chosen.choice(SUBJECTS).format(n=f"#{number}")
        parents = [self.tip]
        if not subject.startswith("Fix"):
            self.commits.append(commit(f"head{number}", "Work", "03-02", "root", branch=None))
            parents.append(f"head{number}")
        self.tip = f"landing{number}"
        self.commits.append(commit(self.tip, subject, pushed, *parents))

    def told(self) -> Report:
        """Let all arrive in some order, some of it twice under another id, and ask for March."""
        copies = [
            msgspec.structs.replace(record, id=f"0-{record.id}")
            for record in self.deliveries
            if self.chosen.random() < 0.3
        ]
        records = [*self.deliveries, *copies]
        self.chosen.shuffle(records)
        read = self.chosen.choice(("04-01", "04-03"))
        arrivals = [
            *clone(read, self.commits, branches={"main": self.tip}),
            *((f"04-02 00:00:{place:02}", record) for place, record in enumerate(records)),
        ]
        arrivals.sort(key=lambda arrival: at(arrival[0]))
        return Lab([created(), *arrivals, heard("04-05")]).report("2026-03-01", "2026-04-01")


@pytest.fixture(scope="module", params=range(8))
def world(request: pytest.FixtureRequest) -> BotWorld:
    return BotWorld(request.param)


def test_every_request_is_told_as_it_ended(world: BotWorld) -> None:
    report = world.told()
    for end in ENDS:
        expected = [number for number, ended in world.ends.items() if ended == end]
        assert [entry.number for entry in report.entries[end]] == expected, end
    assert report.ledger.balance == 0
    delivered = {number for number, end in world.ends.items() if end in ("landed", "merged")}
    assert set(report.reconciliation.merged) == delivered


def test_bots_people_and_unknown_ones_add_up(world: BotWorld) -> None:
    report = world.told()
    parts = of_which(report)["opened"]
    kinds = [(user or {}).get("type") for user in world.users.values()]
    assert parts.author_unknown == kinds.count(None)
    if parts.author_unknown < len(kinds):
        assert (parts.automation, parts.people) == (kinds.count("Bot"), kinds.count("User"))


def test_arrival_and_copies_change_nothing(world: BotWorld) -> None:
    first, second = world.told(), world.told()
    assert first.counts == second.counts
    for name in ENDS:
        told = [[(e.number, e.at, e.enter) for e in r.entries[name]] for r in (first, second)]
        assert told[0] == told[1]
