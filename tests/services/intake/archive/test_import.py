"""Importing GH Archive: counts equal the truth, or are named as what they are."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from events.errors import InvalidQuestion
from events.instant import DAY, HOUR, Instant
from events.log.memory import MemoryLog
from projections.period_ledger.queries import ledger
from projections.repositories.branch_roles import BranchRoles
from services.intake.archive import ArchiveResult, Tracked, import_archive
from services.intake.archive.gaps import Knowledge
from services.logs.walk import entries
from services.simulator import World, simulate
from services.simulator.counts import counts
from tests.archives import at_hour, event_of, filler, lines_by_hour, name_of, write
from tests.builders import REPO
from tests.engines import NewEngine
from tests.worlds import SetClock, log_end, memory_engine, project, record_of

ACME = Tracked(full_name="acme/widget", key=REPO, partition=REPO)
#: What the timeline shows of requests; of others (activity of open ones) it has too little.
SHOWN = ("opened", "merged", "closed_without_merge", "reopened")


@pytest.fixture(scope="module")
def world() -> World:
    return simulate(4, pulls=40, days=12, start=at_hour("2020-08-01-0"))


class Archive:
    """A log into which files are imported."""

    def __init__(self) -> None:
        self.clock = SetClock(at_hour("2027-01-01-0"))
        self.log = MemoryLog(self.clock)

    def load(self, *paths: Path, tracked: Tracked = ACME) -> ArchiveResult:
        """Import files as the command does."""
        self.clock.now += DAY
        return import_archive(paths, [tracked], log=self.log, clock=lambda: self.clock.now)

    def counts(
        self, a: Instant, b: Instant, new_engine: NewEngine = memory_engine
    ) -> dict[str, int | None]:
        """Return what the ledger says of [a, b)."""
        with project(self.log, engine=new_engine()).snapshot() as snapshot:
            last = log_end(self.log, REPO)
            found = ledger(snapshot, REPO, a, b, last, BranchRoles()).counts
        return dict(found)


def _truth(world: World, a: Instant, b: Instant) -> dict[str, int]:
    truth = counts(world.truth.pulls, a, b)
    return {name: truth[name] for name in SHOWN}


@pytest.fixture
def files(world: World, tmp_path: Path) -> Callable[..., list[Path]]:
    def written(*, trimmed: bool = False) -> list[Path]:
        folder = tmp_path / ("trimmed" if trimmed else "whole")
        folder.mkdir()
        hours = lines_by_hour(world, trimmed=trimmed)
        return [write(folder, hour, events) for hour, events in hours.items()]

    return written


def test_whole_payloads_give_the_truth_on_each_engine(
    world: World, files: Callable[..., list[Path]], new_engine: NewEngine
) -> None:
    archive = Archive()
    result = archive.load(*files())
    assert result.gaps == ()
    assert result.stored == sum(
        event_of(delivery, trimmed=False) is not None for delivery in world.deliveries
    )
    a, b = world.truth.start, world.truth.end
    found = archive.counts(a, b, new_engine)
    assert {name: found[name] for name in SHOWN} == _truth(world, a, b)


def test_trimmed_payloads_show_merges_and_leave_other_outcomes_unknown(
    world: World, files: Callable[..., list[Path]]
) -> None:
    archive = Archive()
    archive.load(*files(trimmed=True))
    a, b = world.truth.start, world.truth.end
    found, truth = archive.counts(a, b), _truth(world, a, b)
    assert found["opened"] == truth["opened"] > 20
    assert found["merged"] == truth["merged"] > 10
    assert found["closed_without_merge"] == 0
    assert found["closed_unknown"] == truth["closed_without_merge"] > 1


def test_webhooks_before_and_after_an_archive_count_nothing_twice(
    world: World, files: Callable[..., list[Path]]
) -> None:
    a, b = world.truth.start, world.truth.end
    trimmed = files(trimmed=True)
    for first in (True, False):
        archive = Archive()
        if first:
            archive.load(*trimmed)
        archive.log.append([record_of(delivery) for delivery in world.deliveries])
        if not first:
            archive.load(*trimmed)
        found = archive.counts(a, b)
        assert found["closed_unknown"] == 0
        assert {name: found[name] for name in SHOWN} == _truth(world, a, b)


def test_files_in_any_order_and_again_and_with_events_of_neighbouring_hours(
    world: World, tmp_path: Path
) -> None:
    hours = lines_by_hour(world)
    shifted = tmp_path / "shifted"
    shifted.mkdir()
    ordered = sorted(hours)
    plain = Archive()
    plain.load(*(write(tmp_path, hour, hours[hour]) for hour in ordered))
    moved = []
    for place, hour in enumerate(ordered):
        own = [event for event in hours[hour] if int(event["id"]) % 3]
        before = hours[ordered[place - 1]] if place else []
        late = [event for event in before if not int(event["id"]) % 3]
        last = [event for event in hours[hour] if hour == ordered[-1]]
        moved.append(write(shifted, hour, [*own, *late, *last]))
    other = Archive()
    first = other.load(*reversed(moved))
    assert first.repeated > 0  # the last hour's events are there twice
    again = other.load(*moved)
    assert again.stored == 0
    for a in range(world.truth.start, world.truth.end, DAY):
        assert other.counts(a, a + DAY) == plain.counts(a, a + DAY)


# --- holes ---------------------------------------------------------------------------------------

HOURS = [at_hour(f"2020-08-21-{hour}") for hour in range(6, 12)]


def _gaps(archive: Archive) -> list[tuple[str, str]]:
    known = Knowledge()
    for entry in entries(archive.log, REPO):
        known.add(entry.record)
    gaps = sorted(known.gaps.values(), key=lambda gap: gap.start)
    return [(name_of(gap.start)[11:-8], name_of(gap.end)[11:-8]) for gap in gaps]


def test_hours_that_are_missing_empty_cut_off_or_nearly_empty_are_gaps(tmp_path: Path) -> None:
    paths = [write(tmp_path, hour, list(filler(hour))) for hour in HOURS]
    paths[1].unlink()
    paths[2].write_bytes(b"")
    paths[3].write_bytes(paths[3].read_bytes()[:-200])
    write(tmp_path, HOURS[4], list(filler(HOURS[4], 1)))
    archive = Archive()
    result = archive.load(*(path for path in paths if path.exists()))
    assert [reason.split(" after")[0] for _, _, reason in result.gaps] == [
        "the file is missing",
        "the file is empty",
        "the file is cut off or damaged",
        "the file holds 1 events, as no whole hour does",
    ]
    assert [(start[11:13], end[11:13]) for start, end, _ in result.gaps] == [
        ("07", "08"),
        ("08", "09"),
        ("09", "10"),
        ("10", "11"),
    ]


def test_what_stands_before_a_cut_counts(world: World, tmp_path: Path) -> None:
    hour, events = next(
        (hour, events)
        for hour, events in lines_by_hour(world).items()
        if any(event["type"] == "PullRequestEvent" for event in events)
    )
    ours = [event for event in events if event["type"] == "PullRequestEvent"]
    path = write(tmp_path, hour, [*ours, *filler(hour, 5_000)])
    path.write_bytes(path.read_bytes()[:-500])
    archive = Archive()
    result = archive.load(path)
    assert result.stored == len(ours)
    assert len(result.gaps) == 1


def test_a_gap_is_filled_by_the_files_that_come_later(tmp_path: Path) -> None:
    paths = [write(tmp_path, hour, list(filler(hour))) for hour in HOURS]
    archive = Archive()
    archive.load(paths[0], paths[5])
    assert _gaps(archive) == [("7", "11")]
    archive.load(paths[0], paths[5])
    assert _gaps(archive) == [("7", "11")]
    archive.load(paths[2])
    assert _gaps(archive) == [("7", "8"), ("9", "11")]
    archive.load(paths[1], paths[3], paths[4])
    assert _gaps(archive) == []


def test_since_may_2025_the_archive_is_known_to_be_incomplete(tmp_path: Path) -> None:
    hour = at_hour("2025-06-01-0")
    archive = Archive()
    result = archive.load(write(tmp_path, hour, list(filler(hour))))
    ((_, _, reason),) = result.gaps
    assert "since 25 May 2025" in reason


def test_lines_that_are_no_events_make_their_hour_a_gap(tmp_path: Path) -> None:
    hour = HOURS[0]
    path = tmp_path / name_of(hour)
    lines = [json.dumps(event).encode() for event in filler(hour)]
    broken = [
        b"<html>",
        b'{"id": 1, "repo": {"id": 1, "name": "acme/widget"',
        b'{"name":"acme/widget"}',
    ]
    path.write_bytes(gzip.compress(b"\n".join([*lines, *broken])))
    archive = Archive()
    result = archive.load(path)
    assert result.unreadable == 3
    assert [reason for *_, reason in result.gaps] == ["3 lines are no events"]


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("2014-12-31-23.json.gz", "before 2015"),
        ("2012-03-11-0.json.gz", "before 2015"),
        ("2020-08-21-24.json.gz", "no file of GH Archive"),
        ("2020-02-30-1.json.gz", "no day"),
        ("events.json.gz", "no file of GH Archive"),
    ],
)
def test_files_that_cannot_be_read_are_refused_before_anything_is_recorded(
    name: str, why: str, tmp_path: Path
) -> None:
    good = write(tmp_path, HOURS[0], list(filler(HOURS[0])))
    archive = Archive()
    with pytest.raises(InvalidQuestion, match=why):
        archive.load(good, tmp_path / name)
    with pytest.raises(FileNotFoundError):
        archive.load(good, tmp_path / "2020-08-21-7.json.gz")
    assert archive.log.ends() == {}


def test_two_files_of_one_hour_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    twice = [
        write(folder, HOURS[0], list(filler(HOURS[0]))) for folder in (tmp_path, tmp_path / "b")
    ]
    with pytest.raises(InvalidQuestion, match="two files"):
        Archive().load(*twice)


def test_by_its_id_a_repository_is_found_under_a_former_name(world: World, tmp_path: Path) -> None:
    hours = lines_by_hour(world)
    paths = [write(tmp_path, hour, events) for hour, events in hours.items()]
    renamed = Tracked(full_name="acme/gadget", key=REPO, partition=REPO, id=1001)
    assert Archive().load(*paths, tracked=renamed).stored > 100
    unknown = Tracked(full_name="acme/gadget", key=REPO, partition=REPO)
    assert Archive().load(*paths, tracked=unknown).stored == 0
    assert HOUR == 3_600_000_000
