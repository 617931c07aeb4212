"""How clusters are computed."""

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from projections.period_ledger.themes import ThemeRequest
from services.answers.themes import clustering
from services.answers.themes.likeness import likeness
from services.answers.themes.vectors import Matrix


def test_one_thread_computes_clusters_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More of them wait for each other by spinning, which costs a busy machine most."""
    threads = set[int]()

    def watched(*asked: list[ThemeRequest]) -> "Matrix":
        threads.update(pool["num_threads"] for pool in threadpool_info())
        return likeness(*asked)

    monkeypatch.setattr(clustering, "likeness", watched)
    requests = [ThemeRequest(number=n, title=f"Part {n} of {n % 2}") for n in range(6)]
    with threadpool_limits(2):
        assert len(clustering.clusters(requests, [], 2)) == 6
        assert {pool["num_threads"] for pool in threadpool_info()} == {2}
    assert threads == {1}
