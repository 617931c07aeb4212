"""Today's answers are those of the golden files, byte for byte.

`python -m tests.goldens` writes the files anew; what then differs shows in git.
"""

from pathlib import Path

import pytest

from tests.goldens.keeping import differences
from tests.goldens.sets import SETS


def test_every_answer_about_the_simulated_world_is_as_it_was(tmp_path: Path) -> None:
    found = differences("world", SETS["world"](tmp_path))
    if found:
        pytest.fail(found, pytrace=False)
