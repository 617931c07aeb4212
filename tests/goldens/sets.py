"""The data sets of which answers are pinned."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.goldens.real import real
from tests.goldens.world import editions, world

#: Name -> makes the golden files, in an empty folder.
SETS: Final[dict[str, Callable[[Path], dict[str, str]]]] = {
    "world": world,
    "editions": editions,
    "real": real,
}
