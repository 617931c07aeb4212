"""How hard the laws are tried that hypothesis draws examples for.

Two profiles: `fast`, which `make test` takes, and `full`, with which `make test-slow` tries the
same laws again (SHIPLEDGER_TEST_PROFILE=full). Every such test is marked `law`.
"""

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

PROFILE: Final = os.environ.get("SHIPLEDGER_TEST_PROFILE", "fast")

#: By how much `fast` tries less than `full`.
LESS: Final = 4

SLOW_DRAWS: Final = (HealthCheck.too_slow, HealthCheck.nested_given)

settings.register_profile("full", max_examples=100, deadline=None)
settings.register_profile("fast", max_examples=100 // LESS, deadline=None)
settings.load_profile(PROFILE)


def tried(times: int) -> settings:
    """Try a law so many times in the full profile, and a quarter of that in the fast one."""
    examples = times if PROFILE == "full" else -(-times // LESS)
    return settings(max_examples=examples, deadline=None, suppress_health_check=SLOW_DRAWS)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the laws, so that they can be chosen."""
    for item in items:
        is_law = is_hypothesis_test(getattr(item, "obj", None))
        if is_law or "law" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.law)
