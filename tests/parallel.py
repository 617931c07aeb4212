"""How tests are spread over processes: `pytest -n auto --dist loadfile`.

Each process runs whole files, one after the other, on real parts of its own, since tests stop and
kill them. So parts that were given by SHIPLEDGER_TEST_PARTS, of which there is one each, allow one
process only.
"""

import gc
import os
from typing import Final

import pytest

#: Each process may start a Kafka, a PostgreSQL and a Prometheus: about 1 GiB.
MOST_PROCESSES: Final = 4


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Say how many processes `-n auto` means; 0 is no other process than this one."""
    if "SHIPLEDGER_TEST_PARTS" in os.environ:
        return 0
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)


def pytest_collection_finish() -> None:
    """Spare the garbage collector the tests themselves, which live to the end anyway.

    Some tests collect on purpose, to see sockets closed: each time all modules would be walked.
    """
    gc.collect()
    gc.freeze()
