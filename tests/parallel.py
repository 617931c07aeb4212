"""How tests are spread over processes: `pytest -n auto --dist loadgroup`.

Each process runs whole files, one after the other, the longest first, on real parts of its own,
since tests stop and kill them. There is one process more than cores, as many tests mostly wait.
So parts that were given by SHIPLEDGER_TEST_PARTS, of which there is one each, allow one process.
"""

import gc
import os
from typing import Final

import pytest

#: Each process may start a Kafka, a PostgreSQL and a Prometheus: about 1 GiB.
MOST_PROCESSES: Final = 4

#: So many processes start a Kafka: one that has nothing to do still takes 4 % of a core.
BROKERS: Final = 2

#: The files that take longest, as a run's last table names them; each waits or computes for more
#: than five seconds.
LONGEST: Final = (
    "tests/linear/test_patterns.py",
    "tests/linear/test_texts.py",
    "tests/services/stream/test_worker.py",
    "tests/properties/test_laws.py",
    "tests/services/logs/queue/test_ingest_process.py",
    "tests/services/processes/test_up.py",
    "tests/services/cli/test_real_releases.py",
    "tests/projections/test_switch.py",
    "tests/properties/test_counts.py",
    "tests/services/intake/mirror/test_running.py",
    "tests/services/answers/editions/releases/test_worlds.py",
    "tests/services/answers/editions/test_engines.py",
    "tests/services/cli/test_commands.py",
    "tests/e2e/test_main_job.py",
    "tests/services/logs/kafka/test_large.py",
    "tests/contracts/test_kafka_log.py",
    "tests/projections/test_plans.py",
    "tests/services/logs/kafka/test_faults.py",
    "tests/services/stream/test_commands.py",
    "tests/properties/test_inclusion_worlds.py",
    "tests/e2e/test_kill.py",
    "tests/deploy/local/test_parts.py",
    "tests/contracts/test_read_model.py",
    "tests/e2e/test_demo.py",
    "tests/deploy/test_monitoring.py",
    "tests/services/audit/receipts/test_verify.py",
    "tests/services/logs/kafka/test_reading.py",
    "tests/goldens/test_goldens.py",
    "tests/properties/test_restatements.py",
    "tests/services/cli/test_send.py",
    "tests/e2e/test_live_release.py",
    "tests/projections/engine/test_views.py",
    "tests/e2e/test_real_history.py",
    "tests/services/authoring/publishing/test_commands.py",
    "tests/properties/test_inclusion_laws.py",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Say how many processes `-n auto` means; 0 is no other process than this one."""
    if "SHIPLEDGER_TEST_PARTS" in os.environ:
        return 0
    return min(len(os.sched_getaffinity(0)) + 1, MOST_PROCESSES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, so that no process is left alone with one in the end.

    Files that need Kafka are dealt to few processes, and come before all others.
    """
    place = {file: nth for nth, file in enumerate(LONGEST)}
    with_kafka = {
        _file(item) for item in items if "kafka_part" in getattr(item, "fixturenames", ())
    }
    brokers = {
        file: f"broker {nth % BROKERS}"
        for nth, file in enumerate(sorted(with_kafka, key=lambda file: (place.get(file, 99), file)))
    }
    for item in items:
        item.add_marker(pytest.mark.xdist_group(brokers.get(_file(item), _file(item))))
    items.sort(key=lambda item: (_file(item) not in brokers, place.get(_file(item), len(place))))


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def pytest_collection_finish() -> None:
    """Spare the garbage collector the tests themselves, which live to the end anyway.

    Some tests collect on purpose, to see sockets closed: each time all modules would be walked.
    """
    gc.collect()
    gc.freeze()
    # And it comes more seldom: worlds are made of many objects, of which few are garbage.
    gc.set_threshold(20_000, 10, 10)
