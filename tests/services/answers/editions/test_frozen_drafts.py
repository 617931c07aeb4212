"""Drafts of one July, one after the other: what keeps its theme, what is placed, what is said."""

import json
from typing import Any

import msgspec
import pytest

from events.facts.editions import PlacedChange, TellingDecided, ThemesAssigned
from events.log.memory import MemoryLog
from events.record import Record
from events.sources.authored import author
from projections.period_ledger.themes import DEPENDENCIES, ThemeRule
from services.authoring.grouping import grouping_records
from services.config.repository import ThemeSettings
from tests.answers import edition_text
from tests.builders import REPO, at, merge, pull_request
from tests.lab import created
from tests.services.answers.editions.frozen import (
    DraftDesk,
    moved,
    named,
    themes_by_number,
)
from tests.worlds import SetClock

TITLES = (
    *("Balance the MoE router", "Fuse MoE router scores", "MoE router dtype"),
    *("Async checkpoint save", "Checkpoint shards on CPU", "Sharded checkpoint load"),
    *("RL rollout bank", "RL rollout recovery", "Durable RL rollout log"),
)
ROUTER, CHECKPOINT, ROLLOUT = (1, 2, 3), (4, 5, 6), (7, 8, 9)
RULE = ThemeRule(name="Routing", labels=("moe",))


def landed(number: int, title: str, **fields: Any) -> list[Record]:
    return [
        pull_request(f"o{number}", number, "opened", "07-05", title=title, **fields),
        merge(f"m{number}", number, "07-06", created_at="07-05", title=title, **fields),
    ]


def desk(
    *more: Record, titles: tuple[str, ...] = TITLES, settings: ThemeSettings | None = None
) -> DraftDesk:
    clock = SetClock(at("07-10"))
    log = MemoryLog(clock)
    records = [record for nth, title in enumerate(titles, 1) for record in landed(nth, title)]
    for record in (created()[1], *records, *more):
        clock.now += 1_000_000
        log.append([record])
    clock.now = at("08-10")
    settings = settings or ThemeSettings(cap=3, smallest=3)
    return DraftDesk(log=log, clock=clock, start="2026-07-01", end="2026-08-01", settings=settings)


def decided(kind: str, value: str | None, **fields: Any) -> TellingDecided:
    given: dict[str, Any] = {"kind": kind, "author": "lead", **fields}
    return TellingDecided(decided_at=at("08-10"), value=value, **given)


def test_the_first_draft_is_recorded_and_the_second_says_by_what_it_is_grouped() -> None:
    drafts = desk()
    first = drafts.draft()
    assert {theme.numbers for theme in first.themes} == {ROUTER, CHECKPOINT, ROLLOUT}
    assert [grouping.record for grouping in first.groupings] == [None, None]
    (fact,) = first.unrecorded
    second = drafts.draft()
    grouping = second.groupings[0]
    assert grouping.record == author(REPO, fact, time=0).id
    assert grouping.known_since == drafts.clock.now
    assert (second.unrecorded, second.moves) == ((), ())
    assert themes_by_number(first) == themes_by_number(second)


def test_what_is_new_goes_to_the_nearest_theme_or_is_left_over() -> None:
    drafts = desk()
    themes = themes_by_number(drafts.draft())
    drafts.receive(*landed(20, "Shard the checkpoint load further"))
    drafts.receive(*landed(21, "Zyzzyva"))
    second = drafts.draft()
    checkpoint = themes["delivered", 6]
    assert named(second) == {
        20: f"#20 is new, placed under {checkpoint}: nearest to #6",
        21: "#21 is new, placed in no theme: near to no theme",
    }
    assert themes_by_number(second)["delivered", 20] == checkpoint
    third = drafts.draft()
    assert [move.recorded for move in third.moves] == [True, True]
    document = json.loads(edition_text(third, "json"))
    assert document["moves"][0]["says"] == named(second)[20]
    assert document["grouped_by"][0]["record"] is not None


def test_a_change_keeps_its_theme_when_its_lead_changes() -> None:
    drafts = desk()
    first = drafts.draft()
    port = {"base": {"ref": "core_v1", "sha": "b" * 40, "repo": {"id": 1001}}}
    drafts.receive(*landed(30, "cp: `RL rollout bank (7)` into `core_v1`", **port))
    yes = decided("twins", "yes", numbers=(7, 30))
    drafts.decide(yes)
    second = drafts.draft()
    assert moved(first, second) == {30}
    assert themes_by_number(second)["delivered", 30] == themes_by_number(first)["delivered", 7]
    assert second.moves == ()
    bank = [change for theme in second.themes for change in theme.changes if 7 in change.numbers]
    assert bank[0].numbers == (7, 30)


def test_twins_of_two_themes_are_told_under_that_of_their_lead_and_both_are_named() -> None:
    drafts = desk()
    first = drafts.draft()
    drafts.decide(decided("twins", "yes", numbers=(3, 9)))
    second = drafts.draft()
    (change,) = (c for theme in second.themes for c in theme.changes if 3 in c.numbers)
    other = 9 if change.lead == 3 else 3
    was = themes_by_number(first)
    assert named(second) == {
        other: f"#{other} was under {was['delivered', other]}, is under "
        f"{was['delivered', change.lead]}: told with #{change.lead} as one change"
    }


def test_what_was_hidden_leaves_and_comes_back_to_its_theme() -> None:
    drafts = desk()
    first = drafts.draft()
    hide = decided("hide", "yes", numbers=(5,), reason="not ours")
    drafts.decide(hide)
    second = drafts.draft()
    checkpoint = themes_by_number(first)["delivered", 5]
    assert named(second) == {5: f"#5 left {checkpoint}: hidden: not ours"}
    record = author(REPO, hide, time=0).id
    drafts.decide(msgspec.structs.replace(hide, value=None, replaces=(record,)))
    assert moved(first, drafts.draft()) == set()


def test_what_a_person_decides_comes_before_what_was_recorded() -> None:
    drafts = desk()
    drafts.draft()
    drafts.receive(*landed(20, "Shard the checkpoint load further"))
    drafts.decide(decided("theme", "Serving", numbers=(20,)))
    drafts.decide(decided("rename", "Checkpoints", theme="Checkpoint"))
    second = drafts.draft()
    assert themes_by_number(second)["delivered", 20] == "Serving"
    assert named(second) == {}


def test_a_rule_of_now_takes_what_was_recorded_elsewhere_and_gives_back_what_it_loses() -> None:
    drafts = desk(*landed(20, "Speed up the RL rollout", labels=[{"name": "moe"}]))
    was = themes_by_number(drafts.draft())["delivered", 20]
    ruled = ThemeSettings(cap=3, smallest=3, rules=(RULE,))
    second = drafts.draft(settings=ruled)
    assert named(second) == {20: f"#20 was under {was}, is under Routing: label moe"}
    assert [theme.key for theme in second.themes][-1] == "Routing"
    assert drafts.draft(settings=ruled).unrecorded == ()
    unlabelled = ThemeSettings(
        cap=3, smallest=3, rules=(ThemeRule(name="Routing", labels=("router",)),)
    )
    third = drafts.draft(settings=unlabelled)
    assert themes_by_number(third)["delivered", 20] == was
    assert "nearest to #" in named(third)[20]


def test_of_a_request_that_moved_again_the_last_move_is_told() -> None:
    drafts = desk()
    drafts.draft()
    drafts.receive(*landed(20, "RL rollout order", labels=[{"name": "moe"}]))
    drafts.draft()
    ruled = ThemeSettings(cap=3, smallest=3, rules=(RULE,))
    drafts.draft(settings=ruled)
    (move,) = drafts.draft(settings=ruled).moves
    assert (move.kind, move.theme, move.recorded) == ("moved", "Routing", True)


def test_what_nothing_takes_is_not_put_under_a_rule() -> None:
    titles = (*TITLES, "Route MoE tokens in order")
    ruled = ThemeSettings(cap=3, smallest=3, rules=(ThemeRule(name="MoE", titles=("^route",)),))
    drafts = desk(titles=titles, settings=ruled)
    assert themes_by_number(drafts.draft())["delivered", 10] == "MoE"
    drafts.receive(*landed(20, "MoE tokens in order"))
    assert themes_by_number(drafts.draft())["delivered", 20] != "MoE"


def test_what_raises_a_dependency_goes_to_its_theme_if_there_is_one() -> None:
    bumps = tuple(f"Bump lib{n} from 1.0 to 1.{n}" for n in range(1, 4))
    drafts = desk(titles=(*TITLES, *bumps))
    drafts.draft()
    drafts.receive(*landed(20, "Bump lib9 from 1.0 to 1.9"))
    assert themes_by_number(drafts.draft())["delivered", 20] == DEPENDENCIES
    without = desk()
    without.draft()
    without.receive(*landed(20, "Bump checkpoint from 1.0 to 1.9"))
    assert themes_by_number(without.draft())["delivered", 20] == ""


def test_a_change_that_lands_leaves_in_progress_and_finds_its_theme_among_what_landed() -> None:
    opened = [
        pull_request(f"p{number}", number, "opened", "07-05", title=title)
        for number, title in enumerate(TITLES, 40)
    ]
    drafts = desk(*opened)
    drafts.draft()
    drafts.receive(merge("l43", 43, "07-20", created_at="07-05", title=TITLES[3]))
    second = drafts.draft()
    says = [move.says for move in second.moves]
    assert len(says) == 2
    assert says[0].startswith("#43 is new, placed under Checkpoint")
    assert says[1] == "#43 left Checkpoint: it is delivered now"


def test_a_regrouping_is_recorded_in_the_place_of_the_old_one_and_names_what_moved() -> None:
    drafts = desk()
    drafts.draft()
    for number, title in enumerate(("Tokenizer cache", "Tokenizer merge", "Tokenizer BPE"), 20):
        drafts.receive(*landed(number, title))
    second = drafts.draft()
    assert {themes_by_number(second)["delivered", number] for number in (20, 21, 22)} == {""}
    larger = ThemeSettings(cap=4, smallest=3)
    third = drafts.draft(regroup=True, settings=larger)
    assert set(named(third)) == {20, 21, 22}
    assert "was in no theme, is under #20" in named(third)[20]
    fourth = drafts.draft(settings=larger)
    assert (fourth.moves, fourth.unrecorded) == ((), ())
    assert themes_by_number(fourth) == themes_by_number(third)
    assert drafts.draft(regroup=True, settings=larger).unrecorded == ()


def test_a_regrouping_back_to_what_was_first_is_recorded_too() -> None:
    drafts = desk()
    first = drafts.draft()
    one = ThemeSettings(cap=1, smallest=3)
    assert moved(first, drafts.draft(regroup=True, settings=one))
    drafts.draft(regroup=True)
    assert themes_by_number(drafts.draft()) == themes_by_number(first)


def test_two_first_drafts_beside_each_other_leave_one_base() -> None:
    drafts = desk()
    first = drafts.draft(record=False)
    drafts.receive(*landed(20, "Shard the checkpoint load further"))
    other = drafts.draft(record=False)
    drafts.receive(*grouping_records(REPO, other, 0))
    drafts.receive(*grouping_records(REPO, first, 0))
    second = drafts.draft()
    assert second.moves == ()
    assert themes_by_number(second) == themes_by_number(other)


def test_a_draft_that_more_came_after_than_was_there_says_how_to_begin_again() -> None:
    drafts = desk(titles=TITLES[:3])
    drafts.draft()
    for number, title in enumerate(TITLES[3:], 20):
        drafts.receive(*landed(number, title))
    looks = [look for look in drafts.draft().looks if look.about == "themes (delivered)"]
    assert "--regroup" in looks[0].why


def test_a_section_without_a_theme_is_no_base() -> None:
    drafts = desk(titles=TITLES[:2])
    assert drafts.draft().unrecorded == ()
    for number, title in enumerate(TITLES[2:], 20):
        drafts.receive(*landed(number, title))
    assert len(drafts.draft().themes) == 3


@pytest.mark.parametrize("fields", [{"section": None}, {"themes": ()}])
def test_a_record_from_before_sections_is_found_by_its_inputs_alone(
    fields: dict[str, Any],
) -> None:
    drafts = desk()
    (fact,) = drafts.draft(record=False).unrecorded
    old = msgspec.structs.replace(fact, **fields)
    drafts.decide(old)
    assert drafts.draft(record=False).groupings[0].record is None


def test_the_record_comes_back_as_it_was_stated() -> None:
    drafts = desk()
    drafts.draft()
    drafts.receive(*landed(20, "Shard the checkpoint load further"))
    (fact,) = drafts.draft(record=False).unrecorded
    assert isinstance(fact, ThemesAssigned)
    placed = PlacedChange(number=20, theme="Checkpoint", why="nearest to #6")
    assert fact.placed == (placed,)
    assert fact.replaces == drafts.draft(record=False).groupings[0].record
