"""The real history, read once for all tests of this folder."""

import pytest

from projections.release_inclusion.history.history import History, read_history
from projections.release_inclusion.messages.references import Names
from tests.projections.release_inclusion.histories import (
    MEGATRON,
    WHY_SKIPPED,
    Megatron,
    read_megatron,
)


@pytest.fixture(scope="session")
def megatron() -> Megatron:
    """The commits and refs of the real history."""
    if not MEGATRON.is_dir():
        pytest.skip(WHY_SKIPPED)
    return read_megatron()


@pytest.fixture(scope="session")
def megatron_history(megatron: Megatron) -> History:
    """The real history, read by the rules."""
    return read_history(
        megatron.commits,
        branches=megatron.branches,
        tags=megatron.tags.values(),
        names=Names.of("NVIDIA/Megatron-LM"),
    )
