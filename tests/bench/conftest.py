"""What is measured, is measured on parts as they run in production."""

import pytest


@pytest.fixture(scope="session")
def postgres_settings() -> str:
    """PostgreSQL waits for the disk."""
    return ""
