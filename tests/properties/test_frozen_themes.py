"""Over worlds: after the first draft an event moves its own requests, and each move is named."""

from typing import Any

import msgspec
import pytest

from events.facts.editions import TellingDecided
from events.instant import DAY, format_instant
from events.log.memory import MemoryLog
from events.sources.authored import author
from projections.engine.rebuild import rebuild
from projections.period_ledger.themes import ThemeRule
from services.answers.editions.edition import Edition, ToldChange
from services.config.repository import ThemeSettings
from services.simulator import World, simulate
from tests.builders import REPO, merge, pull_request
from tests.engines import NewEngine
from tests.services.answers.editions.frozen import DraftDesk, moved, named, themes_by_number
from tests.worlds import SetClock, log_of, memory_engine, record_of

JUNE = ("2026-06-01", "2026-07-01")
SEEDS = (3, 7, 19, 42)
RULED = ThemeSettings(rules=(ThemeRule(name="Urgent", labels=("urgent",)),))


def desk_of(seed: int, new_engine: NewEngine | None = None) -> DraftDesk:
    world: World = simulate(seed, pulls=110, days=80)
    clock = SetClock()
    deliveries = world.deliveries
    log: MemoryLog = log_of(
        map(record_of, deliveries), lambda nth: deliveries[nth].at + 2_000_000, clock
    )
    clock.now = world.truth.end + 30 * DAY
    engine = memory_engine() if new_engine is None else new_engine()
    start, end = JUNE
    return DraftDesk(log=log, clock=clock, start=start, end=end, settings=RULED, engine=engine)


def grouped(edition: Edition) -> list[ToldChange]:
    """Return the delivered changes that have a theme, the first and the last ones first."""
    changes = [change for theme in edition.of("delivered") for change in theme.changes]
    assert len(changes) > 5, "the world is too small to show anything"
    return sorted(changes, key=lambda change: change.lead)


def bring(desk: DraftDesk, number: int, title: str, **fields: Any) -> None:
    opened, landed = "2026-06-20T10:00:00Z", "2026-06-21T10:00:00Z"
    desk.receive(
        pull_request(f"o{number}", number, "opened", opened, title=title, **fields),
        merge(f"m{number}", number, landed, created_at=opened, title=title, **fields),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_revert_takes_its_own_request_away_and_nothing_else(seed: int) -> None:
    desk = desk_of(seed)
    first = desk.draft()
    change = next(change for change in grouped(first) if len(change.numbers) == 1)
    title = change.members[change.lead].title
    bring(desk, 9_001, f'Revert "{title}"', body=f"Reverts acme/widget#{change.lead}")
    second = desk.draft()
    assert moved(first, second) <= {change.lead, 9_001}
    assert change.lead in moved(first, second)
    assert named(second)[change.lead].endswith("reverted by #9001")
    bring(desk, 9_002, 'Revert "Revert', body="Reverts acme/widget#9001")
    assert moved(second, desk.draft()) <= {change.lead, 9_001, 9_002}


@pytest.mark.parametrize("seed", SEEDS)
def test_twins_bring_their_own_requests_together_and_nothing_else(seed: int) -> None:
    desk = desk_of(seed)
    first = desk.draft()
    changes = grouped(first)
    by_theme = {theme.key: theme.changes for theme in first.of("delivered")}
    apart = [part[0] for part in by_theme.values()][:2] or changes[:2]
    pair = tuple(sorted(change.lead for change in apart))
    yes = TellingDecided(
        kind="twins", decided_at=desk.clock.now, author="lead", value="yes", numbers=pair
    )
    desk.decide(yes)
    second = desk.draft()
    own = {number for change in apart for number in change.numbers}
    assert moved(first, second) <= own
    assert not second.unrecorded, "twins are no new assignment: taken back, all is as it was"
    record = author(REPO, yes, time=0).id
    desk.decide(msgspec.structs.replace(yes, value=None, replaces=(record,)))
    assert moved(first, desk.draft()) == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_new_request_is_placed_alone_and_stays_there(seed: int) -> None:
    desk = desk_of(seed)
    first = desk.draft()
    like = grouped(first)[-1]
    bring(desk, 9_001, f"{like.members[like.lead].title} once more")
    second = desk.draft()
    assert moved(first, second) == {9_001}
    assert "is new, placed" in named(second)[9_001]
    bring(desk, 9_002, "Something that nobody has heard of: zyzzyva")
    bring(desk, 9_003, f"{like.members[like.lead].title} a third time")
    third = desk.draft()
    assert moved(second, third) == {9_002, 9_003}
    assert 9_001 not in named(third), "it was named, and is recorded"
    assert not desk.draft().unrecorded
    assert moved(third, desk.draft()) == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_label_moves_its_own_request_to_the_rule_that_takes_it(seed: int) -> None:
    desk = desk_of(seed)
    first = desk.draft()
    change = grouped(first)[len(grouped(first)) // 2]
    member = change.members[change.lead]
    desk.receive(
        pull_request(
            "labelled",
            change.lead,
            "labeled",
            "2026-06-29T10:00:00Z",
            title=member.title,
            labels=[{"name": "urgent"}],
            label={"name": "urgent"},
            state="closed",
            merged=True,
        )
    )
    second = desk.draft()
    assert moved(first, second) == set(change.numbers)
    assert "label urgent" in named(second)[change.lead]
    assert themes_by_number(second)["delivered", change.lead] == "Urgent"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_recorded_is_known_from_its_record_on(seed: int) -> None:
    desk = desk_of(seed)
    before = desk.clock.now
    first = desk.draft()
    bring(desk, 9_001, "Something else altogether")
    second = desk.draft()
    then = desk.draft(known_at=before)
    assert [grouping.record for grouping in then.groupings] == [None, None]
    assert themes_by_number(then) == themes_by_number(first), format_instant(before)
    assert then.moves == ()
    assert [grouping.record for grouping in second.groupings] != [None, None]


def test_a_draft_is_the_same_on_each_engine_and_after_a_rebuild(new_engine: NewEngine) -> None:
    desk = desk_of(7, new_engine)
    first = desk.draft()
    bring(desk, 9_001, f"{grouped(first)[0].members[grouped(first)[0].lead].title} again")
    live = desk.draft()
    result = rebuild(desk.engine, desk.log, "curation", desk.clock)
    assert (result.switched, result.differing) == (True, 0)
    anew = DraftDesk(
        log=desk.log, clock=desk.clock, start=JUNE[0], end=JUNE[1], settings=RULED
    ).draft(record=False)
    again = desk.draft(record=False)
    assert themes_by_number(live) == themes_by_number(again) == themes_by_number(anew)
    assert again.groupings == anew.groupings
    assert again.moves == anew.moves
    assert again.report.repo == REPO
