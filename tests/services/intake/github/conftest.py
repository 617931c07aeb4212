"""The stub, and a client of it that does not really wait."""

from collections.abc import Iterator

import pytest

from services.intake.github import GitHubClient
from tests.services.intake.github.stub import TOKEN, Stub, stub_api


@pytest.fixture
def stub() -> Iterator[Stub]:
    with stub_api() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """The seconds that the client wanted to wait, in order."""
    return []


@pytest.fixture
def client(stub: Stub, waits: list[float]) -> Iterator[GitHubClient]:
    with GitHubClient(stub.url, TOKEN, sleep=waits.append, now=lambda: 1_000.0) as made:
        yield made
