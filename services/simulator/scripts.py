"""Which scripts a world plays, and when each begins."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeAlias

from services.simulator import branches, carrying, roadmaps, stories
from services.simulator.issues import reported
from services.simulator.people import MAINTAINERS
from services.simulator.shapes import Shape, shaped
from services.simulator.stage import HOUR, Script, Stage
from services.simulator.team import Team

Story: TypeAlias = Callable[[Team], Script]

#: A deck of stories: how often each is dealt in a round, and how many requests it opens.
DECK: Final[tuple[tuple[int, int, Story], ...]] = (
    (9, 1, partial(stories.ordinary, method="squash")),
    (4, 1, partial(stories.ordinary, method="squash", base="dev")),
    (4, 1, partial(stories.ordinary, method="merge")),
    (3, 1, partial(stories.ordinary, method="rebase")),
    (4, 1, stories.queued),
    (3, 1, stories.abandoned),
    (3, 1, stories.lasting),
    (1, 1, stories.wavering),
    (2, 1, stories.on_the_edge),
    (1, 1, stories.merged_on_the_edge),
    (2, 1, stories.retargeted),
    (3, 1, stories.by_bot),
    (4, 2, carrying.ported),
    (4, 2, carrying.picked),
    (1, 2, carrying.half_picked),
    (2, 2, carrying.stacked),
    (3, 3, carrying.reverted),
    (1, 2, carrying.partly_reverted),
)


def begin_all(
    stage: Stage, *, pulls: int, careless: bool = False, shapes: Collection[Shape] = ()
) -> None:
    """Set the stage and put every script on the agenda."""
    team = Team(stage, careless=careless)
    found_repository(team)
    for script in (stories.queue, branches.syncs, branches.trains, branches.snapshots):
        stage.begin(script(team))
    stage.begin(roadmaps.kept(team))
    span = stage.end - stage.start
    for story in _deal(team, pulls):
        at = stage.start + 6 * HOUR + int(team.rng.random() * max(1, span - 12 * HOUR))
        stage.begin(story(team), at)
    for habit in shaped(team, shapes, pulls=pulls):
        stage.begin(habit, stage.start + 12 * HOUR + int(team.rng.random() * span * 0.7))
    for _ in range(pulls // 5):
        stage.begin(reported(team), stage.start + HOUR + int(team.rng.random() * span * 0.9))


def _deal(team: Team, pulls: int) -> list[Story]:
    # Each round deals the whole deck, so that a world of one round has seen everything.
    dealt: list[Story] = []
    left = pulls
    while left > 0:
        deck = [(size, story) for times, size, story in DECK for _ in range(times)]
        team.rng.shuffle(deck)
        for size, story in deck:
            if left > 0:
                dealt.append(story)
                left -= size
    return dealt


def found_repository(team: Team) -> None:
    """Create the repository, its first commit, main and dev."""
    stage, founder = team.stage, MAINTAINERS[0]
    stage.emit("repository", "created", {}, sender=founder)
    paths = ("README.md", "src/__init__.py", "src/data/loader.py", "tests/test_data.py")
    files = {path: stage.git.blob(f"{path}\n") for path in paths}
    first = stage.git.commit((), dict(files), "First commit\n", author=founder.stamp(stage.now))
    for branch in ("main", "dev"):
        stage.push_branch(branch, first, by=founder)
        stage.git.begin_line(branch, first)
    team.synced = first
