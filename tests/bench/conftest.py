"""What is measured, is measured on parts as they run in production."""

from collections.abc import Sequence

import pytest


@pytest.fixture(scope="session")
def postgres_settings() -> str:
    """PostgreSQL waits for the disk."""
    return ""


@pytest.fixture(scope="session")
def kafka_java() -> Sequence[str]:
    """Kafka is compiled well."""
    return ()
