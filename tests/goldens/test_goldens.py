"""Today's answers are those of the golden files, byte for byte.

`python -m tests.goldens` writes the files anew; what then differs shows in git.
"""

from pathlib import Path

import pytest

from tests.goldens.keeping import differences
from tests.goldens.sets import SETS


def test_every_answer_about_the_simulated_world_is_as_it_was(tmp_path: Path) -> None:
    _as_it_was("world", tmp_path)


@pytest.mark.slow
def test_every_form_of_an_edition_is_as_it_was(tmp_path: Path) -> None:
    _as_it_was("editions", tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_answer_about_the_real_history_is_as_it_was(tmp_path: Path) -> None:
    _as_it_was("real", tmp_path)


def _as_it_was(name: str, folder: Path) -> None:
    found = differences(name, SETS[name](folder))
    if found:
        pytest.fail(found, pytrace=False)
