"""A world is made by its seed alone, misses nothing it promises, and survives being written."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs

import msgspec
import pytest

import services.simulator
from events.instant import parse_instant
from services.simulator import Truth, simulate
from services.simulator.stories import EDGE_ZONES
from tests.services.simulator.worlds import SEEDS, payload, world


def test_equal_arguments_give_equal_bytes() -> None:
    one, two = simulate(5, pulls=40), simulate(5, pulls=40)
    assert one.deliveries == two.deliveries
    assert one.truth == two.truth


def test_a_world_is_the_same_in_every_process() -> None:
    program = (
        "import hashlib, services.simulator as s; w = s.simulate(5, pulls=40);"
        "print(hashlib.sha256(b''.join(d.body for d in w.deliveries)).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Kolkata"))
    }
    assert len(digests) == 1


def test_the_oracle_knows_nothing_of_what_it_judges() -> None:
    folder = Path(services.simulator.__file__).parent
    for source in folder.glob("*.py"):
        assert "projections" not in source.read_text(), source.name


def test_another_seed_gives_another_world() -> None:
    assert simulate(5, pulls=20).deliveries != simulate(6, pulls=20).deliveries


@pytest.mark.parametrize("pulls", [1, 3, 30])
@pytest.mark.parametrize("days", [1, 20, 400])
def test_small_short_and_long_worlds_can_be_made(pulls: int, days: int) -> None:
    made = simulate(9, pulls=pulls, days=days)
    assert made.deliveries[0].event == "repository"
    assert made.deliveries[0].action == "created"


@pytest.mark.parametrize(("pulls", "days", "start"), [(0, 9, 0), (9, 0, 0), (9, 9, 1)])
def test_a_world_that_cannot_be_is_refused(pulls: int, days: int, start: int) -> None:
    with pytest.raises(ValueError, match="a world"):
        simulate(1, pulls=pulls, days=days, start=start)


@pytest.mark.parametrize("seed", SEEDS)
def test_deliveries_come_in_order_with_ids_of_their_own(seed: int) -> None:
    made = world(seed)
    times = [delivery.at for delivery in made.deliveries]
    assert times == sorted(times)
    assert made.truth.start <= times[0]
    assert times[-1] < made.truth.end
    assert len({delivery.delivery_id for delivery in made.deliveries}) == len(times)
    assert [delivery.index for delivery in made.deliveries] == list(range(len(times)))
    assert all(at % 1_000_000 == 0 for at in times)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_are_dense(seed: int) -> None:
    truth = world(seed).truth
    numbers = sorted(
        [pull.number for pull in truth.pulls] + [issue.number for issue in truth.issues]
    )
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_signature_covers_the_bytes_as_sent_in_both_encodings() -> None:
    plain = world().deliveries[-1]
    form = plain.as_form()
    assert parse_qs(form.body.decode())["payload"] == [plain.body.decode()]
    assert form.headers()["Content-Type"] == "application/x-www-form-urlencoded"
    assert form.as_form() is form
    for delivery in (plain, form):
        expected = hmac.new(b"s3cret", delivery.body, hashlib.sha256).hexdigest()
        assert delivery.signed_headers("s3cret")["X-Hub-Signature-256"] == f"sha256={expected}"


def test_names_ids_and_hosts_are_those_asked_for() -> None:
    made = simulate(
        1, pulls=5, full_name="umbrella/gadget", repository_id=77, host="git.example.org"
    )
    shown = payload(made.deliveries[-1])["repository"]
    assert (shown["id"], shown["full_name"]) == (77, "umbrella/gadget")
    assert all(b"github.com/acme" not in delivery.body for delivery in made.deliveries)


def test_writing_gives_back_the_same_deliveries_and_truth(tmp_path: Path) -> None:
    made = simulate(4, pulls=15, days=40)
    made.write(tmp_path)
    assert len(list((tmp_path / "deliveries").iterdir())) == 2 * len(made.deliveries)
    for delivery in made.deliveries:
        stem = tmp_path / "deliveries" / f"{delivery.index:05}"
        assert Path(f"{stem}.body").read_bytes() == delivery.body
        assert json.loads(Path(f"{stem}.headers.json").read_bytes()) == delivery.headers()
    read = msgspec.json.decode((tmp_path / "truth.json").read_bytes(), type=Truth)
    assert read == made.truth


def test_three_worlds_hold_every_kind_of_delivery() -> None:
    seen = Counter(
        (delivery.event, delivery.action) for seed in SEEDS for delivery in world(seed).deliveries
    )
    pull_actions = (
        "opened closed reopened edited synchronize labeled unlabeled ready_for_review"
        " converted_to_draft enqueued dequeued"
    )
    expected: list[tuple[str, str | None]] = [("push", None), ("create", None), ("delete", None)]
    expected += [("pull_request", action) for action in pull_actions.split()]
    expected += [("issues", name) for name in ("opened", "closed", "reopened", "edited", "labeled")]
    expected += [("release", name) for name in ("created", "published", "released", "prereleased")]
    expected += [("issue_comment", "created"), ("repository", "created")]
    assert [kind for kind in expected if not seen[kind]] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_every_world_holds_every_relation_method_and_verdict(seed: int) -> None:
    truth = world(seed).truth
    assert {pull.method for pull in truth.pulls} >= {None, "merge", "squash", "rebase", "queue"}
    kinds = {relation.kind for pull in truth.pulls for relation in pull.relations}
    assert kinds >= {"pick", "port", "sync", "revert"}
    assert any(len(pull.landing) > 1 for pull in truth.pulls)
    assert any(pull.bot for pull in truth.pulls)
    verdicts = {verdict for tag in truth.verdicts.values() for verdict in tag.values()}
    assert verdicts >= {"included", "partly", "reverted"}
    bases = {step.value for pull in truth.pulls for step in pull.bases}
    assert {"main", "dev"} < bases
    assert any(base.startswith("core_r") for base in bases)
    assert any(len(pull.bases) > 1 for pull in truth.pulls)


def test_three_worlds_hold_every_odd_happening() -> None:
    truths = [world(seed).truth for seed in SEEDS]
    pulls = [pull for truth in truths for pull in truth.pulls]
    relations = [relation for pull in pulls for relation in pull.relations]
    assert {(relation.kind, relation.evidence) for relation in relations} >= {
        ("pick", "cp title"),
        ("pick", "merge subject"),
        ("pick", "suffix"),
        ("pick", "trailer"),
        ("port", "none"),
        ("readd", "re-add"),
        ("readd", "reapply"),
        ("readd", "revert of the revert"),
        ("revert", "quoted title"),
        ("revert", "sha"),
        ("stack", "commits inside"),
        ("sync", "ancestry"),
    }
    cycles = [[step.value for step in pull.transitions].count("reopened") for pull in pulls]
    assert max(cycles) > 1
    verdicts = {
        verdict for truth in truths for tag in truth.verdicts.values() for verdict in tag.values()
    }
    assert "removed" in verdicts
    tags = [tag for truth in truths for tag in truth.tags]
    assert any(tag.tag_object for tag in tags)
    assert any(not tag.tag_object for tag in tags)
    assert any(tag.delivery is None for tag in tags)
    assert any(tag.drafted and tag.published for tag in tags)
    finals = [tag for tag in tags if not tag.prerelease and tag.family == "core"]
    candidates = {tag.commit for tag in tags if tag.prerelease}
    assert any(tag.commit in candidates for tag in finals)
    assert all(any(version.succeeds for version in truth.roadmaps) for truth in truths)


def test_something_happens_exactly_on_month_edges_of_utc_and_of_shanghai() -> None:
    edges = {
        parse_instant(f"2026-{month:02}-01T00:00:00+{zone:02}:00"): zone
        for month in (6, 7, 8)
        for zone in EDGE_ZONES
    }
    seen = {
        edges[step.at]
        for seed in SEEDS
        for pull in world(seed).truth.pulls
        for step in pull.transitions
        if step.at in edges
    }
    assert seen == set(EDGE_ZONES)


def test_a_head_repository_may_be_a_fork_or_gone() -> None:
    heads = [
        payload(delivery)["pull_request"]["head"]["repo"]
        for delivery in world().deliveries
        if delivery.event == "pull_request"
    ]
    assert None in heads
    assert any(head and head["fork"] for head in heads)


def test_several_things_happen_to_one_request_in_one_second() -> None:
    seconds = Counter(
        (delivery.at, delivery.numbers)
        for delivery in world().deliveries
        if delivery.event == "pull_request"
    )
    assert max(seconds.values()) > 1


def test_bodies_are_compact() -> None:
    pulls = [d for d in world().deliveries if d.event == "pull_request"]
    assert all(2_000 < len(delivery.body) < 8_000 for delivery in pulls)
    assert 6 < len(world().deliveries) / len(world().truth.pulls) < 12
