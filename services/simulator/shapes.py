"""The habits of real projects that a world can have beside its own, and who plays them."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final, Literal, TypeAlias, get_args

from services.simulator import backports, forks, longlived, robots, schemes, takebacks
from services.simulator.stage import Script
from services.simulator.team import Team

Shape: TypeAlias = Literal[
    "fork numbers",
    "backports",
    "squashed branches",
    "merge robots",
    "version schemes",
    "combined reverts",
    "late patches",
]
#: All of them.
SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)

_Story: TypeAlias = Callable[[Team], Script]

#: Played once in a world.
_ONCE: Final[dict[Shape, tuple[_Story, ...]]] = {
    "squashed branches": (longlived.quarterly,),
    "version schemes": tuple(partial(schemes.tagged, family=name) for name in schemes.FAMILIES),
    "late patches": (backports.late_patches,),
}
#: Played again for every fifty requests.
_OFTEN: Final[dict[Shape, tuple[_Story, ...]]] = {
    "fork numbers": (forks.merged_from_fork, forks.merged_from_fork, forks.squashed_from_fork),
    "backports": tuple(partial(backports.backported, way=way) for way in backports.WAYS),
    "merge robots": tuple(partial(robots.landed, way=way) for way in robots.WAYS),
    "combined reverts": tuple(partial(takebacks.taken_back, way=way) for way in takebacks.WAYS),
}


def shaped(team: Team, shapes: Collection[Shape], *, pulls: int) -> Iterator[Script]:
    """Yield what plays these shapes in a world of so many requests."""
    for shape in SHAPES:  # in this order, so that equal sets give equal worlds
        if shape in shapes:
            for story in _ONCE.get(shape, ()):
                yield story(team)
            for _ in range(max(1, pulls // 50)):
                for story in _OFTEN.get(shape, ()):
                    yield story(team)
