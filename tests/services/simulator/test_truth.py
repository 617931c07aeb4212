"""The truth does not contradict itself, and every payload agrees with it."""

import random
from typing import Any

import pytest

from events.instant import DAY, parse_instant
from services.simulator.counts import counts, counts_by_group
from services.simulator.truth import PullTruth, value_before
from tests.services.simulator.worlds import SEEDS, payload, world

MAY_FOLLOW = {
    None: {"opened"},
    "opened": {"closed", "merged"},
    "reopened": {"closed", "merged"},
    "closed": {"reopened"},
    "merged": set(),
}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_of_a_life_may_follow_the_one_before_and_takes_time(seed: int) -> None:
    for pull in world(seed).truth.pulls:
        before = None
        for step in pull.transitions:
            assert step.value in MAY_FOLLOW[before], pull.number
            before = step.value
        times = [step.at for step in pull.transitions]
        assert times == sorted(set(times)), f"#{pull.number} closed and reopened in one second"


@pytest.mark.parametrize("seed", SEEDS)
def test_ledgers_balance_over_any_range(seed: int) -> None:
    truth, chance = world(seed).truth, random.Random(seed)
    marks = sorted({step.at for pull in truth.pulls for step in pull.transitions})
    for _ in range(60):
        start, end = sorted(chance.choice(marks) + chance.choice((0, 1)) for _ in range(2))
        found = counts(truth.pulls, start, end)
        came = found["open_at_start"] + found["opened"] + found["reopened"]
        went = found["merged"] + found["closed_without_merge"] + found["closed_unknown"]
        assert came - went == found["open_at_end"]
        for group in counts_by_group(truth.pulls, start, end, _group).values():
            came = group["open_at_start"] + group["opened"] + group["reopened"]
            came += group["retargeted_in"] - group["retargeted_out"]
            went = group["merged"] + group["closed_without_merge"]
            assert came - went == group["open_at_end"]


def test_groups_add_up_to_the_whole() -> None:
    truth = world().truth
    start, end = truth.start + 30 * DAY, truth.start + 61 * DAY
    groups = counts_by_group(truth.pulls, start, end, _group).values()
    for name, count in counts(truth.pulls, start, end).items():
        assert sum(group[name] for group in groups) == count


def _group(base: str) -> str:
    return base if base in ("main", "dev") else "other"


@pytest.mark.parametrize("seed", SEEDS)
def test_every_snapshot_shows_the_state_after_its_event(seed: int) -> None:
    made = world(seed)
    for delivery in made.deliveries:
        if delivery.event != "pull_request":
            continue
        shown = payload(delivery)
        known = made.truth.pull(shown["number"]).upto(delivery.index + 1)
        assert known is not None
        _compare(shown["pull_request"], known, delivery.at)


def _compare(shown: dict[str, Any], known: PullTruth, at: int) -> None:
    number = shown["number"]
    last = known.transitions[-1]
    is_open = last.value in ("opened", "reopened")
    assert shown["state"] == ("open" if is_open else "closed"), number
    assert shown["merged"] == (last.value == "merged") == (shown["merged_at"] is not None)
    assert parse_instant(shown["created_at"]) == known.opened_at
    assert parse_instant(shown["updated_at"]) == at
    if is_open:
        assert shown["closed_at"] is None
    else:
        assert parse_instant(shown["closed_at"]) == last.at
    if shown["merged"]:
        assert shown["merged_at"] == shown["closed_at"]
        assert shown["merge_commit_sha"] == known.landing[-1]
    assert shown["merge_commit_sha"]
    assert shown["base"]["ref"] == known.bases[-1].value
    assert shown["title"] == known.titles[-1].value
    assert shown["draft"] == known.drafts[-1].value
    assert tuple(label["name"] for label in shown["labels"]) == known.labels[-1].value
    assert shown["user"]["login"] == known.author
    if known.commits_at:
        assert shown["head"]["sha"] == known.commits_at[-1].value


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_names_the_delivery_that_announces_it(seed: int) -> None:
    made = world(seed)
    actions = {"opened": "opened", "closed": "closed", "reopened": "reopened", "merged": "closed"}
    for pull in made.truth.pulls:
        for step in pull.transitions:
            delivery = made.deliveries[step.delivery]
            assert (delivery.action, delivery.at) == (actions[step.value], step.at)
            assert delivery.numbers == (pull.number,)
        for base in pull.bases[1:]:
            assert "base" in payload(made.deliveries[base.delivery])["changes"]
    for issue in made.truth.issues:
        for change in (issue.opened, *issue.changes):
            assert payload(made.deliveries[change.delivery])["issue"]["number"] == issue.number


def test_the_truth_of_a_prefix_is_what_happened_in_it() -> None:
    made = world()
    half = len(made.deliveries) // 2
    bound = made.deliveries[half].at
    known = made.truth.pulls_upto(half)
    assert 0 < len(known) < len(made.truth.pulls)
    for pull in known:
        assert all(step.at <= bound for step in pull.transitions)
        whole = made.truth.pull(pull.number)
        assert pull.state_before(bound) == whole.state_before(bound)
    assert made.truth.pulls_upto(len(made.deliveries)) == made.truth.pulls


@pytest.mark.parametrize("seed", SEEDS)
def test_roadmap_versions_are_the_texts_that_were_sent(seed: int) -> None:
    made = world(seed)
    for version in made.truth.roadmaps:
        delivery = made.deliveries[version.delivery]
        shown = payload(delivery)["issue"]
        assert (shown["number"], shown["body"]) == (version.number, version.body)
        assert delivery.at == version.at
        for item in version.items:
            assert item.title in version.body
            assert all(f"#{number}" in version.body for number in item.links)
            assert item.words is None or f"**{item.title}** — {item.words}" in version.body


def test_a_value_holds_from_its_second_on() -> None:
    pull = next(pull for pull in world().truth.pulls if len(pull.bases) > 1)
    first, second = pull.bases[:2]
    assert value_before(pull.bases, second.at) == first.value
    assert value_before(pull.bases, second.at + 1) == second.value
    assert pull.base_before(pull.opened_at) is None
