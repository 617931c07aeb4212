"""Simulated worlds in the log as deliveries and readings of git, and their truth beside answers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from events.errors import NotFound
from events.instant import Instant
from events.log.memory import MemoryLog
from projections.release_inclusion.answers import Inclusion, inclusion
from projections.release_inclusion.messages.references import change_title
from projections.release_inclusion.view import HistoryCache, ReleaseView, view
from projections.repositories.branch_roles import BranchRoles
from projections.store.snapshot import Snapshot
from services.intake.git import GitRepository, compare_copies, recall
from services.intake.git.importer import import_git
from services.simulator import World
from services.simulator.truth import TagTruth
from tests.worlds import REPO, SECOND, SetClock, log_end, record_of

#: (what the truth says, what was answered): how often.
Comparison = Counter[tuple[str, str]]
DELAY = 2 * SECOND


@dataclass
class Recorded:
    """A log, and the stamps of the last record of each reading of git."""

    world: World
    log: MemoryLog
    readings: list[Instant]


def recorded(
    world: World,
    folder: Path,
    *,
    cuts: Sequence[Instant] = (),
    webhooks: bool = True,
    patches: bool = False,
) -> Recorded:
    """Deliver a world, and read its repository as it was at each cut and at the end.

    With `patches` what looks alike at the end is compared, as the command does at each import.
    """
    clock = SetClock()
    found = Recorded(world, MemoryLog(clock), [])
    waiting = [*sorted(cuts), world.truth.end]
    for delivery in world.deliveries if webhooks else ():
        while waiting[0] < delivery.at:
            _read_git(found, clock, folder, waiting.pop(0))
        clock.now = delivery.at + DELAY
        found.log.append([record_of(delivery)])
    for cut in waiting:
        _read_git(found, clock, folder, cut)
    if patches:
        git = GitRepository(folder / f"reading-{len(found.readings) - 1}")
        compare_copies(
            git, recall(found.log, REPO, REPO), log=found.log, repository=REPO, clock=clock
        )
    return found


def _read_git(found: Recorded, clock: SetClock, folder: Path, at: Instant) -> None:
    path = folder / f"reading-{len(found.readings)}"
    found.world.build_repository(path, at=at)
    clock.now = at + DELAY
    import_git(
        path,
        log=found.log,
        repository=REPO,
        full_name=found.world.truth.full_name,
        clock=clock,
    )
    found.readings.append(log_end(found.log, REPO))


def seen_at(snapshot: Snapshot, known_at: Instant) -> ReleaseView:
    """Return the view of everything that was known at K."""
    return view(
        snapshot,
        REPO,
        known_at,
        known_at,
        roles=BranchRoles(),
        families=(),
        cache=HistoryCache(),
    )


def answered(asked: ReleaseView, number: int, tag: str) -> Inclusion | None:
    """Return the answer, None for a number of which nothing is recorded."""
    try:
        return inclusion(asked, number, asked.release(tag))
    except NotFound:
        assert number not in asked.requests
        return None


def compare(asked: ReleaseView, world: World, tags: Iterable[TagTruth]) -> Comparison:
    """Hold every request of the world against every tag; `unrecorded` is a NotFound."""
    found: Comparison = Counter()
    for tag in tags:
        for pull in world.truth.pulls:
            answer = answered(asked, pull.number, tag.name)
            expected = world.truth.verdict(tag.name, pull.number)
            given: str = answer.verdict.outcome if answer else "unrecorded"
            if (
                answer
                and answer.verdict.reason == "a mention waits for review"
                and port_in_doubt(world, tag.name, pull.number)
            ):
                found[expected, "doubted"] += 1
                continue
            found[expected, given] += 1
            if answer and answer.verdict.outcome == "undetermined":
                assert answer.verdict.missing or answer.verdict.reason in (
                    "nothing is known of it",
                    "no commit is known",
                ), (tag.name, answer.verdict)
            allowed = {expected, "undetermined"} | ({"unrecorded"} if not answer else set())
            assert given in allowed, (world.truth.seed, tag.name, pull.number, answer)
    return found


def port_in_doubt(world: World, tag: str, number: int) -> bool:
    """Tell whether a tag holds what may be a request's change under another number.

    A port that says nothing of itself has the title of its original, and no more shows it; two
    raises of one dependency look the same. After a revert a commit of the title may have put the
    change back.
    """
    if world.truth.verdict(tag, number) not in ("not_included", "reverted", "removed"):
        return False
    alike = _with_one_title(world)
    return any(
        world.truth.verdict(tag, other) != "not_included"
        for other in alike.get(number, ())
        if other != number
    )


def _with_one_title(world: World) -> dict[int, list[int]]:
    kept = _ALIKE.get(id(world))
    if kept is None:
        by_title: dict[str, list[int]] = defaultdict(list)
        titles = {
            p.number: {change_title(step.value) for step in p.titles} for p in world.truth.pulls
        }
        for number, its in titles.items():
            for title in its:
                by_title[title].append(number)
        alike = {
            number: [n for title in its for n in by_title[title]] for number, its in titles.items()
        }
        kept = _ALIKE[id(world)] = world, alike
    return kept[1]


#: By the id of a world, which is kept with them so that no other one gets it.
_ALIKE: dict[int, tuple[World, dict[int, list[int]]]] = {}
